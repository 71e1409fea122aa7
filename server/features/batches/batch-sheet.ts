/** The sheet of a batch: the template to fill in, and the results of its rows. */
import {
  isBlankCell,
  matchHeaders,
  readInputCell,
  UNNAMED,
  unnamedCells,
  type RowInput,
  type SheetRows,
} from '#server/sheets/row-inputs.ts';
import { inputColumn } from '#server/sheets/row-workbook-builder.ts';
import type { RowColumn, RowWorkbook } from '#server/sheets/row-workbook.ts';
import type { VersionOutput } from '#server/versions/version-catalog.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { BATCH_ROWS_MAX, type BatchIssue, type BatchReadings } from '#shared/contract/batches.ts';
import { createReadingList } from './batch-readings.ts';

/** Columns that the portal adds after the entered ones. */
const RESULTS = ['Run status', 'Run number', 'Run message'] as const;

/** The batch as stored. */
export interface BatchContent {
  /** Names and ids of the inputs. */
  Columns: { Name: string; Id: number }[];
  /**
   * Row numbers of the file, starting at 1, with their values. Null stands for the workbook's own value. IsGood is true
   * if all values of the row are acceptable.
   */
  Rows: { Row: number; Values: FormCell[]; IsGood: boolean }[];
}

export interface ReadBatch extends BatchContent {
  /** Problems; those of the headers come first. */
  issues: BatchIssue[];
  /** Number of problems in the headers. */
  headerIssues: number;
  readings: BatchReadings | null;
}

export const isResultOutput = ({ Info }: VersionOutput): boolean =>
  Info.RangeType === 'SingleCell' && !['FilePath', 'FileId'].includes(Info.CellUsages[0] ?? '');

export function batchTemplateOf(activity: string, filled: readonly RowInput[]): RowWorkbook {
  const notes = [
    `Batch of ${activity}: each row of the sheet Rows is a run.`,
    `Fill in up to ${BATCH_ROWS_MAX.toLocaleString('en-US')} rows, keep the headers as they are, and upload the file.`,
    'A cell that is not needed may stay blank: the value of the workbook is taken then.',
  ];
  return { sheetName: 'Rows', columns: filled.map(inputColumn), rows: [], entered: BATCH_ROWS_MAX, notes };
}

/** Ignores result columns, so that a sheet with results can be uploaded again. */
export function readBatch(sheet: SheetRows, filled: readonly RowInput[], outputs: readonly VersionOutput[]): ReadBatch {
  const skippedHeaders = [...RESULTS, ...outputs.filter(isResultOutput).map(({ Name }) => resultHeader(Name))];
  const wanted = filled.map(({ input }) => input.Name);
  const matched = matchHeaders(sheet.headers, wanted, skippedHeaders);
  const issues: BatchIssue[] = matched.issues.map((issue) => ({ ...issue, Input: '' }));
  const present = filled.filter(({ input }) => matched.columnIndexes.has(input.Name));
  if (present.length === 0) issues.push({ Cell: '', Input: '', Message: 'No column has the name of an input' });
  const absent = filled.filter((one) => !present.includes(one) && readInputCell(one, null).messages.length > 0);
  for (const { input } of absent)
    issues.push({ Cell: '', Input: input.Name, Message: `There is no column ${input.Name}, but every row needs it` });
  const headerIssues = issues.length;
  const hasFalseHeaders = headerIssues > 0;
  // Skips rows without entries: formulas that were filled down, and columns that are not inputs, can produce such rows.
  const rows = sheet.rows.filter(
    ({ cells }) =>
      present.some(({ input }) => !isBlankCell(cells[matched.columnIndexes.get(input.Name)!])) ||
      unnamedCells(sheet.headers, cells).length > 0,
  );
  if (rows.length === 0 && !hasFalseHeaders) issues.push({ Cell: '', Input: '', Message: 'The sheet has no rows' });
  const readings = createReadingList(present);
  const Rows = rows.map(({ row: Row, cells }) => {
    let IsGood = !hasFalseHeaders;
    const Values = present.map((one) => {
      const col = matched.columnIndexes.get(one.input.Name)!;
      const { value, messages } = readInputCell(one, cells[col] ?? null);
      const Cell = `${columnLetters(col)}${Row}`;
      readings.add(one.input, Cell, cells[col] ?? null);
      for (const Message of messages) issues.push({ Cell, Input: one.input.Name, Message });
      if (messages.length > 0) IsGood = false;
      return value;
    });
    for (const col of unnamedCells(sheet.headers, cells)) {
      issues.push({ Cell: `${columnLetters(col)}${Row}`, Input: '', Message: UNNAMED });
      IsGood = false;
    }
    return { Row, Values, IsGood };
  });
  const Columns = present.map(({ input: { Name, Id } }) => ({ Name, Id }));
  return { Columns, Rows, issues, headerIssues, readings: readings.all() };
}

/** The prefix keeps an output apart from an input of the same name. */
const resultHeader = (name: string): string => `Result ${name}`;

/** The result of a row. */
export interface RowResult {
  RunId: number | null;
  Status: string;
  Message: string;
  /** Values by output name. */
  values: ReadonlyMap<string, unknown>;
}

export function batchResultsOf(
  { Columns, Rows }: BatchContent,
  inputs: readonly RowColumn[],
  outputs: readonly VersionOutput[],
  resultOf: (row: BatchContent['Rows'][number]) => RowResult,
): RowWorkbook {
  const shown = outputs.filter(isResultOutput);
  const result = { note: '', isRequired: false, items: null, rule: null, isResult: true };
  const columns: RowColumn[] = [
    ...Columns.map(
      ({ Name }): RowColumn =>
        inputs.find(({ header }) => header === Name) ?? { ...result, header: Name, usage: 'Text', format: 'General' },
    ),
    ...shown.map(({ Name, Info, Description }) => ({
      ...result,
      header: resultHeader(Name),
      usage: Info.CellUsages[0] ?? ('Text' as const),
      format: Info.Formats[0] ?? 'General',
      note: Description,
    })),
    ...RESULTS.map((header, at) => {
      const usage = at === 1 ? ('Number' as const) : ('Text' as const);
      return { ...result, header, usage, format: 'General' };
    }),
  ];
  const rows: unknown[][] = [];
  // Each row keeps its position in the uploaded file.
  for (const row of Rows) {
    const at = row.Row - 2;
    while (rows.length < at) rows.push([]);
    const { RunId, Status, Message, values } = resultOf(row);
    rows[at] = [...row.Values, ...shown.map(({ Name }) => values.get(Name) ?? null), Status, RunId, Message];
  }
  const notes = ['What the rows of the batch gave. Tables and files of a run are on its own page.'];
  return { sheetName: 'Rows', columns, rows, entered: 0, notes };
}
