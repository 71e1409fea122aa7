/** Univer (Apache-2.0) in the calculation bench, without its user interface. */
import { loadUniver } from '../peers.ts';
import type { Contestant } from './contestant.ts';
import { inputValue } from './inputs.ts';
import { sumOf, typed } from './sheet.ts';
import type { BenchmarkSheet, Cell } from './sheet.ts';

interface UniverCell {
  v?: number | string;
  f?: string;
}

const BOOK = 'bench';

const cellOf = (cell: Cell): UniverCell => {
  if (typeof cell === 'object' && cell) return { f: `=${typed(cell)}` };
  return cell === null ? {} : { v: cell };
};

function bookData({ sheets }: BenchmarkSheet): object {
  const own = sheets.map(({ name, rows }) => [
    name,
    {
      id: name,
      name,
      rowCount: rows.length + 1,
      columnCount: 20,
      cellData: Object.fromEntries(
        rows.map((row, y) => [y, Object.fromEntries(row.map((cell, x) => [x, cellOf(cell)]))]),
      ),
    },
  ]);
  return { id: BOOK, sheetOrder: sheets.map(({ name }) => name), sheets: Object.fromEntries(own) };
}

export const univer: Contestant = {
  hasCountedMemory: true,
  load(sheet) {
    const { core, formula, sheets, sheetsFormula } = loadUniver();
    const { EN_US } = core.LocaleType;
    const program = new core.Univer({ locale: EN_US, locales: { [EN_US]: {} }, logLevel: core.LogLevel.SILENT });
    program.registerPlugin(formula.UniverFormulaEnginePlugin);
    program.registerPlugin(sheets.UniverSheetsPlugin);
    program.registerPlugin(sheetsFormula.UniverSheetsFormulaPlugin);
    const book = program.createUnit(core.UniverInstanceType.UNIVER_SHEET, bookData(sheet));
    const commands = program.__getInjector().get(core.ICommandService);

    /** Runs `start` and waits until the calculation that it starts has ended. */
    const calculated = async (start: () => unknown): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const listener = commands.onCommandExecuted(({ id, params }) => {
        const state = (params as { functionsExecutedState?: number } | undefined)?.functionsExecutedState;
        if (id === formula.SetFormulaCalculationNotificationMutation.id && state !== undefined) resolve();
      });
      start();
      await promise;
      listener.dispose();
    };

    return {
      full: () =>
        calculated(() =>
          commands.executeCommand(
            formula.SetFormulaCalculationStartMutation.id,
            { commands: [], forceCalculation: true },
            { onlyLocal: true },
          ),
        ),
      inputs: (round) =>
        calculated(() => {
          const cellValue: Record<number, Record<number, UniverCell>> = {};
          sheet.inputs.forEach(({ row, col }, index) => {
            cellValue[row] = { [col]: { v: inputValue(index, round) } };
          });
          return commands.executeCommand(sheets.SetRangeValuesMutation.id, {
            unitId: BOOK,
            subUnitId: sheet.sheets[0]!.name,
            cellValue,
          });
        }),
      check: () =>
        sumOf(sheet, (at, { top, left, bottom, right }) => {
          const own = book.getSheetBySheetId(sheet.sheets[at]!.name)!;
          return Array.from({ length: bottom - top + 1 }, (_, y) =>
            Array.from({ length: right - left + 1 }, (__, x) => own.getCellRaw(top + y, left + x)?.v ?? null),
          );
        }),
      // Univer is not disposed of: its timers still run after a calculation has ended, and would fail.
      close: () => undefined,
    };
  },
};
