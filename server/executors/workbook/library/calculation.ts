/**
 * `runsheet/calculation`: the calculation engine for other programs. A workbook of Excel is opened, values are written into its cells, and
 * others read; nothing is started, stored or sent.
 */
import type { CalculationModel } from '#server/calculation/engine.ts';
import type { PlacedFormula, PlacedResult } from '#server/calculation/placed-formula.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { openPackage } from '../package.ts';

export { CalculationError } from '#server/calculation/engine.ts';
export { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
export { cellError, CellError, type CellValue, type ErrorCode } from '#server/calculation/values/cell-value.ts';
export { fromSerial, toSerial, type DateParts } from '#shared/codecs/serial-date.ts';

/** One cell's value, or those of several, row by row. Days and times are serial numbers; a blank cell is null. */
export type Values = CellValue | CellValue[][];

export interface Workbook {
  /** Names of its sheets, in their order. */
  readonly sheets: readonly string[];
  /** Names that are defined for the whole workbook, and of its tables. */
  readonly names: readonly string[];
  /** Functions that it uses and the engine lacks, each with the cell; formulas with them come to #NAME?. */
  readonly unsupported: readonly { name: string; cell: string }[];
  /**
   * What a formula comes to: "Sheet1!B2", a name, "Costs[Amount]", "SUM(A1:A3)". References without a sheet mean the first one; an array that
   * stands in no cells is one row. Whatever was written before is
   * calculated. Throws CalculationError where cells depend on themselves, or `timeLimit` is over.
   */
  get(formula: string): Values;
  /** Writes a value into the first cell of a place, or rows of values from there on; formulas that stood there are gone. Throws RangeError where the place is none. */
  set(place: string, value: Values): void;
  /** The same workbook as it is now, to be changed apart; costs little. */
  copy(): Workbook;
}

export interface WorkbookOptions {
  /** Milliseconds that one calculation may take; 60,000 where absent. */
  timeLimit?: number;
}

/** Opens an .xlsx or .xlsm. Throws WorkbookFileError, with a sentence for the author of the file, where it cannot be read. */
export async function openWorkbook(bytes: Uint8Array, { timeLimit = 60_000 }: WorkbookOptions = {}): Promise<Workbook> {
  const file = readWorkbook(await openPackage(bytes));
  const engine = createRunsheetEngine();
  const unsupported = engine
    .unsupported(file)
    .map(({ name, sheet, row, col }) => ({ name, cell: `${file.sheets[sheet]!.name}!${formatCell(row, col)}` }));
  return asWorkbook(engine.load(file), { file, timeLimit, unsupported, formulas: new Map() }, true);
}

/** What copies share. */
interface Shared {
  file: WorkbookModel;
  timeLimit: number;
  unsupported: Workbook['unsupported'];
  /** Each text is read and compiled once. */
  formulas: Map<string, PlacedFormula>;
}

function asWorkbook(model: CalculationModel, shared: Shared, isNew: boolean): Workbook {
  const { file, timeLimit, unsupported } = shared;
  let isCalculated = !isNew;
  return {
    sheets: file.sheets.map(({ name }) => name),
    names: [...file.names.filter(({ sheet, hidden }) => sheet === null && !hidden), ...file.tables].map(
      ({ name }) => name,
    ),
    unsupported,
    get: (formula) => {
      if (!isCalculated) model.recalculate({ timeLimit });
      isCalculated = true;
      return shaped(resolve(model, shared, formula));
    },
    set: (place, value) => {
      const { range } = resolve(model, shared, place);
      if (!range) throw new RangeError(`"${place}" is no place in the workbook`);
      const rows = Array.isArray(value) ? value : [[value]];
      const edits = rows.flatMap((cells, row) =>
        cells.map((cell, col) => ({ sheet: range.sheet, row: range.top + row, col: range.left + col, value: cell })),
      );
      model.setCells(edits);
      isCalculated = false;
    },
    copy: () => asWorkbook(model.copy(), shared, !isCalculated),
  };
}

function resolve(model: CalculationModel, { formulas, timeLimit }: Shared, text: string): PlacedResult {
  const formula = formulas.get(text) ?? { text, sheet: 0, base: FIRST_CELL };
  formulas.set(text, formula);
  return model.evaluate!(formula, FIRST_CELL, { timeLimit });
}

const FIRST_CELL = { row: 0, col: 0 };

function shaped({ values, range }: PlacedResult): Values {
  if (values.length <= 1) return values[0] ?? null;
  const width = range ? range.right - range.left + 1 : values.length;
  return Array.from({ length: values.length / width }, (_, row) => values.slice(row * width, (row + 1) * width));
}
