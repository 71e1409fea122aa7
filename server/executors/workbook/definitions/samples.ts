/**
 * Builds sample files, which users download to see which columns an input expects. They are generated on request, never
 * stored.
 */
import type { SampleLayout, StepDefinition } from '#server/executors/activity-definition.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { from1904 } from '#shared/codecs/date-systems.ts';
import type { InputInfo } from '#shared/contract/parameters.ts';
import { tableBody } from './blocks.ts';
import type { CellView } from './cell-view.ts';
import type { Field } from './field.ts';
import { fieldsOf } from './fields.ts';
import type { RowReader } from './portal-values.ts';
import { delimiterOf } from './delimiter.ts';
import { findTable } from './table-references.ts';

interface Sampled {
  name: string;
  info: InputInfo;
  /** The step that reads the input's file, if it is a file input. */
  importStep: StepDefinition | null;
}

/** Number of example rows taken from the workbook's own table. */
const EXAMPLE_ROWS = 3;

/**
 * Returns the sample of a grid with column names, or of a file that a step imports; null for other inputs. `layout` is
 * only set for files.
 */
export function sampleOf(
  model: WorkbookModel,
  view: CellView,
  row: RowReader,
  input: Sampled,
): { fileName: string; layout: SampleLayout | null } | null {
  const { info, importStep } = input;
  const layout = importStep && fileLayout(model, view, importStep);
  const said = readName(row);
  if (!layout && info.RangeType !== 'RangeWithColumnHeaders') {
    if (said !== null)
      row.addProblem(
        'SampleFile',
        `The input '${input.name}' has a sample file, but neither columns nor a step that imports its file.`,
        'Empty the cell, or add an Import step.',
      );
    return null;
  }
  const isText = importStep?.options['Delimiter'] !== undefined || importStep?.options['Encoding'] !== undefined;
  return { fileName: said ?? `${safeName(input.name)}.${isText ? 'csv' : 'xlsx'}`, layout };
}

function readName(row: RowReader): string | null {
  const name = row.text('SampleFile');
  if (name === '') return null;
  if (/[\\/:*?"<>|]/.test(name) || name.includes('..')) {
    row.addProblem(
      'SampleFile',
      `The sample file '${name}' must be a name, not a path.`,
      'Enter the name of a file without folders.',
    );
    return null;
  }
  if (/\.(?:csv|xlsx)$/i.test(name)) return name;
  row.addProblem(
    'SampleFile',
    `The sample file '${name}' is neither a .csv nor an .xlsx file.`,
    'Enter the name of a .csv or .xlsx file.',
  );
  return null;
}

const safeName = (name: string): string => name.replaceAll(/[\\/:*?"<>|.]/g, ' ').trim() || 'Sample';

/** Returns the columns of the table that the step fills, without those that formulas fill. */
function fileLayout(model: WorkbookModel, view: CellView, { options }: StepDefinition): SampleLayout | null {
  const table = options['Table'] === undefined ? undefined : findTable(model, options['Table']);
  if (!table) return null;
  const data = tableBody(table);
  const columnHeaders = table.columns.map(({ name }) => name);
  const shape = { rangeType: 'RangeWithColumnHeaders', data, headerRows: table.headerRows, headerCols: 0 } as const;
  const fields = fieldsOf(model, view, table.sheet, { ...shape, columnHeaders, rowHeaders: [] });
  const entered = fields.flatMap((field, index) => {
    const isCalculated = table.columns[index]!.calculatedFormula !== undefined || field.formulas === 'all';
    return isCalculated ? [] : [{ field, name: columnHeaders[index]! }];
  });
  return {
    columns: entered.map(({ field, name }) => ({ name, usage: field.usage, format: field.format })),
    rows: exampleRows(
      entered.map(({ field }) => field),
      model.date1904,
    ),
    sheetName: options['Sheet'] ?? '',
    headerRow: Number(options['HeaderRow'] ?? 1) || 1,
    delimiter: delimiterOf(options['Delimiter'] ?? ',') ?? ',',
    dateFormat: options['DateFormat'] ?? 'yyyy-mm-dd',
    decimalSeparator: options['DecimalSeparator'] ?? '.',
  };
}

function exampleRows(fields: readonly Field[], date1904: boolean): SampleLayout['rows'] {
  const height = Math.min(EXAMPLE_ROWS, fields[0]?.cells.length ?? 0);
  const rows = Array.from({ length: height }, (_, row) =>
    fields.map(({ cells, usage, format }) => {
      const value = cells[row]?.value ?? null;
      if (value instanceof CellError) return null;
      return typeof value === 'number' && usage === 'Date' && date1904 ? from1904(value, format) : value;
    }),
  );
  return rows.filter((cells) => cells.some((cell) => cell !== null && cell !== ''));
}
