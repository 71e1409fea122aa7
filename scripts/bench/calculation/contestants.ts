/** The engines that are compared: ours and the available others. */
import type { CalculationEngine } from '#server/calculation/engine.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { findOffice } from '#server/executors/libreoffice/find-office.ts';
import { createLibreOfficeEngine } from '#server/executors/libreoffice/libreoffice-engine.ts';
import type { LibreOfficeEngine } from '#server/executors/libreoffice/libreoffice-engine.ts';
import { loadIronCalcEngine } from '../ironcalc/load-ironcalc.ts';
import type { Contestant } from './contestant.ts';
import { hyperFormula } from './hyperformula.ts';
import { inputValue } from './inputs.ts';
import { sumOf, toModel } from './sheet.ts';
import { univer } from './univer.ts';

/**
 * Wraps an engine that implements our interface. Reading the file is not measured; `toModel` builds the model that the
 * file reader would produce.
 */
function behindInterface(create: () => CalculationEngine, hasCountedMemory: boolean): Contestant {
  let engine: CalculationEngine | null = null;
  return {
    hasCountedMemory,
    load(sheet) {
      engine ??= create();
      const base = engine.load(toModel(sheet));
      let current = base;
      return {
        full: () => base.recalculate(),
        copy() {
          current = base.copy();
        },
        inputs(round) {
          current.setCells(
            sheet.inputs.map(({ row, col }, index) => ({ sheet: 0, row, col, value: inputValue(index, round) })),
          );
          current.recalculate();
        },
        check: () => sumOf(sheet, (at, block) => current.values(at, block)),
        close() {
          if (current !== base) current.dispose();
          base.dispose();
        },
      };
    },
  };
}

/**
 * LibreOffice, which is asked for a hard recalculation (`calculateAll`). It has no copies, so all changes go to one
 * document.
 */
function libreOffice(): Contestant {
  let engine: LibreOfficeEngine | null = null;
  return {
    hasCountedMemory: false,
    missing: () => (findOffice('') === null ? 'not installed here' : null),
    load(sheet) {
      engine ??= createLibreOfficeEngine(findOffice('')!, 4 * 2 ** 30);
      const model = engine.load(toModel(sheet));
      // Opens the document. Nothing is calculated yet.
      model.open();
      return {
        full: () => model.recalculate(),
        inputs(round) {
          model.setCells(
            sheet.inputs.map(({ row, col }, index) => ({ sheet: 0, row, col, value: inputValue(index, round) })),
          );
          model.recalculate();
        },
        check: () => sumOf(sheet, (at, block) => model.values(at, block)),
        close: () => model.close(),
      };
    },
  };
}

export const CONTESTANTS: Record<string, Contestant> = {
  runsheet: behindInterface(createRunsheetEngine, true),
  hyperformula: hyperFormula,
  ironcalc: behindInterface(loadIronCalcEngine, true),
  univer,
  libreoffice: libreOffice(),
};
