/** The Export step: writes cells or the whole workbook to a file of an output. */
import type { StepDefinition } from '#server/executors/activity-definition.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { formatCellValue } from '#shared/codecs/format-value.ts';
import { hasDay } from '#shared/codecs/date-format.ts';
import { from1904 } from '#shared/codecs/date-systems.ts';
import { formatSerialDate, fromSerial } from '#shared/codecs/serial-date.ts';
import { resolveArea } from '../definitions/areas.ts';
import { sameName } from '../definitions/parameters.ts';
import { exportFormat } from '../definitions/step-export.ts';
import type { ExportFormat } from '../definitions/step-export.ts';
import { delimiterOf } from '../definitions/delimiter.ts';
import { csvText } from '../export/csv-text.ts';
import { fillTemplate, safeFileName } from '#server/executors/file-name.ts';
import { formatIn, rangeWorkbook } from '../export/range-workbook.ts';
import type { ExportRange } from '../export/range-workbook.ts';
import { textOfOption } from './step-context.ts';
import type { StepContext } from './step-context.ts';

export async function runExport(context: StepContext, step: StepDefinition): Promise<void> {
  const { definition, calculation, exported, log } = context;
  const output = definition.outputs.find(({ Name }) => sameName(Name, step.options['Output'] ?? '', 'output'));
  if (!output) throw log.setupError(`Step '${step.Step}': its output does not exist`);
  const format = exportFormat(step.options);
  const bytes = await content(context, step, format);
  const FileName = fileName(context, step, output.Name, format);
  const { sheet } = output.location;
  const block = calculation.now(sheet, output.location.block);
  // Write the file name into the cell, so that formulas and people who open the workbook see it.
  calculation.write([{ sheet, row: block.top, col: block.left, value: FileName }]);
  exported.push({ step: step.Step, Name: output.Name, FileName, bytes });
  log.done(`Step '${step.Step}': ${FileName}`);
}

async function content(context: StepContext, step: StepDefinition, format: ExportFormat): Promise<Uint8Array> {
  const range = rangeOf(context, step);
  if (format === 'csv' && range) return csvOf(context, step, range);
  const workbook = range ? await rangeWorkbook(context, range) : (await context.calculatedWorkbook()).bytes;
  return format === 'pdf' ? context.services.toPdf(workbook) : workbook;
}

/**
 * Returns the data of a table, or of some of its columns, with the column names above. Other cells are exported as they
 * are, even if they are part of a table: they may include its header.
 */
function rangeOf({ calculation, log }: StepContext, step: StepDefinition): ExportRange | null {
  const text = step.options['Range'];
  if (text === undefined) return null;
  const found = resolveArea(calculation.model, text, null);
  if ('problem' in found) throw log.setupError(`Step '${step.Step}': '${text}' ${found.problem.message}`);
  const { sheet, block, table } = found.area;
  const first = table ? block.left - table.block.left : 0;
  const columns = table?.columns.slice(first, first + block.right - block.left + 1) ?? [];
  const headers = columns.map(({ name }) => name);
  return { sheet, block: calculation.now(sheet, block), headers, title: table?.name ?? step.Step };
}

function csvOf(context: StepContext, step: StepDefinition, range: ExportRange): Uint8Array {
  const { calculation } = context;
  const formatAt = formatIn(context, range);
  const top = range.headers.length > 0 ? 1 : 0;
  const values = calculation.read(range.sheet, range.block);
  const rows: CellValue[][] = top === 1 ? [[...range.headers], ...values] : values;
  const delimiter = delimiterOf(step.options['Delimiter'] ?? ',') ?? ',';
  return csvText(rows, (y, x) => (y < top ? 'General' : formatAt(y - top, x)), delimiter, calculation.model.date1904);
}

function fileName(context: StepContext, step: StepDefinition, output: string, format: ExportFormat): string {
  const template = textOfOption(context, step, 'FileName') || output;
  const filled = fillTemplate(template, (name) => valueText(context, name));
  const bare = filled.toLowerCase().endsWith(`.${format}`) ? filled.slice(0, -format.length - 1) : filled;
  return safeFileName(`${bare}.${format}`);
}

/** Returns a single value for a file name; dates are written so that file names sort by them. */
function valueText({ definition, calculation, view }: StepContext, name: string): string {
  const parameter =
    definition.inputs.find(({ Name }) => sameName(Name, name, 'input')) ??
    definition.outputs.find(({ Name }) => sameName(Name, name, 'output'));
  if (!parameter) return '';
  const { sheet, block } = parameter.location;
  const value = calculation.read(sheet, calculation.now(sheet, block))[0]?.[0] ?? null;
  if (value instanceof CellError) return value.code;
  const { format } = view.cell(sheet, block.top, block.left);
  if (parameter.Info.CellUsages[0] === 'Date' && typeof value === 'number' && hasDay(format))
    return isoDay(calculation.model.date1904 ? from1904(value, format) : value);
  return formatCellValue(value, format);
}

function isoDay(serial: number): string {
  const parts = fromSerial(serial);
  if (!parts) return formatSerialDate(serial);
  return `${parts.year}-${String(parts.month).padStart(2, '0')}-${String(parts.day).padStart(2, '0')}`;
}
