/**
 * `runsheet/calculation`: the calculation engine as a library for other programs. It opens an Excel workbook, writes
 * values into its cells and reads others. It starts, stores and sends nothing.
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

/** The value of one cell, or of several, row by row. Dates and times are serial numbers; a blank cell is null. */
export type Values = CellValue | CellValue[][];

export interface Workbook {
  /** Names of the sheets, in order. */
  readonly sheets: readonly string[];
  /** Names defined for the whole workbook, and names of its tables. */
  readonly names: readonly string[];
  /**
   * Functions that the workbook uses and the engine lacks, each with its cell. Formulas that use them return #NAME?.
   */
  readonly unsupported: readonly { name: string; cell: string }[];
  /**
   * Evaluates a formula: "Sheet1!B2", a name, "Costs[Amount]", "SUM(A1:A3)". References without a sheet refer to the
   * first one. An array that is not a range of cells is returned as one row. Recalculates first if needed: on the first
   * call, and after writes. Throws CalculationError if cells depend on themselves, or if `timeLimit` is exceeded.
   */
  get(formula: string): Values;
  /**
   * Writes a value into the first cell of a range, or rows of values from there on, and replaces formulas in those
   * cells. Throws RangeError if `place` is not a range.
   */
  set(address: string, value: Values): void;
  /** Returns an independent copy of the workbook in its current state. Cheap. */
  copy(): Workbook;
}

export interface WorkbookOptions {
  /** Milliseconds that one calculation may take; 60,000 if absent. */
  timeLimit?: number;
}

/**
 * Opens an .xlsx or .xlsm. Throws WorkbookFileError, with a message for the author of the file, if it cannot be read.
 */
export async function openWorkbook(bytes: Uint8Array, { timeLimit = 60_000 }: WorkbookOptions = {}): Promise<Workbook> {
  const file = readWorkbook(await openPackage(bytes));
  const engine = createRunsheetEngine();
  const unsupported = engine
    .unsupported(file)
    .map(({ name, sheet, row, col }) => ({ name, cell: `${file.sheets[sheet]!.name}!${formatCell(row, col)}` }));
  return asWorkbook(engine.load(file), { file, timeLimit, unsupported, formulas: new Map() }, true);
}

/** State shared by all copies. */
interface Shared {
  file: WorkbookModel;
  timeLimit: number;
  unsupported: Workbook['unsupported'];
  /** Formulas by text; each is parsed and compiled once. */
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
    set: (address, value) => {
      const { range } = resolve(model, shared, address);
      if (!range) throw new RangeError(`"${address}" is no place in the workbook`);
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
