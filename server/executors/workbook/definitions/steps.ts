/** PortalSteps: what a run does, row by row. */
import type { StepAction, StepDefinition } from '#server/executors/executor.ts';
import { STEP_ACTIONS } from '#server/executors/executor.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { heightOf, sameBlock, tableBody, widthOf } from './blocks.ts';
import { resolveArea } from './areas.ts';
import type { Draft } from './parameters.ts';
import { sameName } from './parameters.ts';
import type { FaultList } from './faults.ts';
import { problem } from './faults.ts';
import type { PortalRow } from './portal-tables.ts';
import { placeOf, textOf } from './portal-tables.ts';
import { createRowReader } from './portal-values.ts';
import type { RowReader } from './portal-values.ts';
import { findTable } from './table-references.ts';

/** Columns each action reads, the needed ones first marked with '!'. */
const OPTIONS: Record<StepAction, readonly string[]> = {
  Import: ['!Input', '!Table', 'Sheet', 'HeaderRow', 'Encoding', 'Delimiter', 'DecimalSeparator', 'DateFormat'],
  Check: ['!Cell', '!Message', 'Severity'],
  Log: ['!Message', 'Severity'],
};

/** Actions that are planned and named in the documentation, so that their fault can say so. */
const LATER = ['Query', 'Call', 'Write', 'Export', 'Prompt', 'Mail'];

export const ENCODINGS = ['UTF-8', 'UTF-16', 'UTF-16LE', 'UTF-16BE', 'windows-1252'] as const;
export const DATE_FORMATS = ['yyyy-mm-dd', 'dd/mm/yyyy', 'mm/dd/yyyy', 'yyyymmdd'] as const;
export const SEVERITIES = ['Error', 'Warning', 'Information'] as const;

export function readSteps(
  model: WorkbookModel,
  rows: readonly PortalRow[],
  inputs: readonly Draft[],
  faults: FaultList,
): StepDefinition[] {
  const steps: StepDefinition[] = [];
  for (const [index, row] of rows.entries()) {
    const step = readStep(model, row, index, inputs, faults);
    if (step) steps.push(step);
  }
  return steps;
}

function readStep(
  model: WorkbookModel,
  row: PortalRow,
  index: number,
  inputs: readonly Draft[],
  faults: FaultList,
): StepDefinition | null {
  const reader = createRowReader(row, faults);
  const Step = reader.text('Step') || `Step ${index + 1}`;
  const Action = readAction(reader, Step);
  if (!Action) return null;
  const options = readOptions(row, reader, Action, Step);
  checkCell(model, row, 'When', Step, true, faults);
  if (Action === 'Import') checkImport(model, reader, options, inputs);
  if (Action === 'Check') checkCell(model, row, 'Cell', Step, false, faults);
  const message = row.cells.get('Message');
  // A formula's text is read when the step runs: it may speak of the run's own numbers.
  if (message?.hasFormula)
    options['MessageCell'] = `'${message.place.sheet.replaceAll("'", "''")}'!${message.place.cell}`;
  return { Step, Action, options };
}

function readAction(reader: RowReader, step: string): StepAction | null {
  const written = reader.text('Action');
  const found = STEP_ACTIONS.find((action) => action.toLowerCase() === written.toLowerCase());
  if (found) return found;
  const isLater = LATER.find((action) => action.toLowerCase() === written.toLowerCase());
  const message =
    written === ''
      ? `The step '${step}' has no Action.`
      : isLater
        ? `The step '${step}' has the action ${isLater}, which this version does not have.`
        : `The step '${step}' has an unknown action '${written}'.`;
  reader.fault('Action', message, `Actions of this version: ${STEP_ACTIONS.join(', ')}.`);
  return null;
}

function readOptions(row: PortalRow, reader: RowReader, action: StepAction, step: string): Record<string, string> {
  const options: Record<string, string> = {};
  const known = OPTIONS[action].map((name) => name.replace('!', ''));
  for (const [column, { text }] of row.cells) {
    if (text === '' || column === 'Step' || column === 'Action') continue;
    if (column === 'When' || known.includes(column)) options[column] = text;
    else reader.fault(column, `The step '${step}' is a ${action}, which has no ${column}.`, 'Empty the cell.');
  }
  for (const name of OPTIONS[action]) {
    if (!name.startsWith('!')) continue;
    const isSaid = options[name.slice(1)] !== undefined || row.cells.get(name.slice(1))?.hasFormula;
    if (!isSaid) reader.fault(name.slice(1), `The step '${step}' needs a ${name.slice(1)}.`, 'Enter it.');
  }
  if (options['Severity']) reader.choice('Severity', action === 'Check' ? SEVERITIES.slice(0, 2) : SEVERITIES.slice(1));
  return options;
}

function checkCell(
  model: WorkbookModel,
  row: PortalRow,
  column: string,
  step: string,
  isOne: boolean,
  faults: FaultList,
): void {
  const text = textOf(row, column);
  if (text === '') return;
  const found = resolveArea(model, text, null);
  if ('problem' in found) {
    const { message, remedy } = found.problem;
    faults.add(placeOf(row, column), problem(`${column} of the step '${step}' ${message}.`, remedy));
  } else if (isOne && heightOf(found.area.block) * widthOf(found.area.block) > 1) {
    const message = `${column} of the step '${step}' is more than one cell.`;
    faults.add(placeOf(row, column), problem(message, 'Name one cell.'));
  }
}

function checkImport(
  model: WorkbookModel,
  reader: RowReader,
  options: Record<string, string>,
  inputs: readonly Draft[],
): void {
  const { Input, Table, HeaderRow, Delimiter } = options;
  if (Input !== undefined && !inputs.some(({ name }) => sameName(name, Input, 'input')))
    reader.fault('Input', `There is no input '${Input}'.`, 'Enter the name of an input that takes a file.');
  const table = Table === undefined ? undefined : findTable(model, Table);
  if (Table !== undefined && !table)
    reader.fault('Table', `There is no Excel table '${Table}'.`, 'Enter the name of an Excel table of this workbook.');
  if (table) checkTarget(reader, inputs, table.name, table.sheet, tableBody(table));
  const headerRow = HeaderRow === undefined ? 1 : Number(HeaderRow);
  if (!Number.isInteger(headerRow) || headerRow < 1)
    reader.fault('HeaderRow', 'HeaderRow must be a whole number from 1.', 'Enter the row with the column names.');
  reader.choice('Encoding', ENCODINGS);
  reader.choice('DateFormat', DATE_FORMATS);
  reader.choice('DecimalSeparator', ['.', ',']);
  if (Delimiter !== undefined && delimiterOf(Delimiter) === null)
    reader.fault('Delimiter', `'${Delimiter}' is no delimiter.`, 'Enter one character, or Tab.');
}

function checkTarget(
  reader: RowReader,
  inputs: readonly Draft[],
  table: string,
  sheet: number,
  body: Draft['area']['block'],
): void {
  const filler = inputs.find(({ area }) => area.sheet === sheet && sameBlock(area.block, body));
  if (!filler) return;
  reader.fault(
    'Table',
    `The table ${table} is filled by the input '${filler.name}' and by an import.`,
    'Let the import fill a table of its own.',
  );
}

/** The character that parts columns; null where the text is none. */
export function delimiterOf(text: string): string | null {
  if (/^(tab|\\t)$/i.test(text)) return '\t';
  return text.length === 1 && !/["\r\n]/.test(text) ? text : null;
}
