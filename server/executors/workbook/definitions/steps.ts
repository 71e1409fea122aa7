/** Reads PortalSteps: what a run does, row by row. */
import type { StepAction, StepDefinition } from '#server/executors/activity-definition.ts';
import { STEP_ACTIONS } from '#server/executors/activity-definition.ts';
import { resolveArea } from './areas.ts';
import { sameName } from './parameters.ts';
import type { PortalRow } from './portal-tables.ts';
import { createRowReader } from './portal-values.ts';
import type { RowReader } from './portal-values.ts';
import { delimiterOf } from './delimiter.ts';
import { checkQuery, checkWrite } from './step-database.ts';
import { checkExport } from './step-export.ts';
import { checkMail } from './step-mail.ts';
import { checkPrompt } from './step-prompt.ts';
import { checkArea, refuseMasked } from './step-scope.ts';
import { checkStart } from './step-start.ts';
import type { StepScope, StepWorld } from './step-scope.ts';
import { checkTarget, tableOf } from './step-tables.ts';

/** The columns that each action reads. '!' marks the required ones, which come first. */
const OPTIONS: Record<StepAction, readonly string[]> = {
  Import: [
    '!Input',
    '!Table',
    'Pattern',
    'Sheet',
    'HeaderRow',
    'Encoding',
    'Delimiter',
    'DecimalSeparator',
    'DateFormat',
  ],
  Query: ['!Connection', '!Query', '!Table', 'MaxRows', 'TimeLimit'],
  Write: ['!Connection', '!Table', '!Target', 'Mode', 'Columns', 'KeyColumns', 'TimeLimit'],
  Export: ['!Output', 'Range', 'Format', 'FileName', 'Delimiter'],
  Check: ['!Cell', '!Message', 'Severity'],
  Log: ['!Message', 'Severity'],
  Prompt: ['!Cell', '!Message', 'Type', 'Minutes'],
  Mail: ['!To', 'Cc', '!Subject', 'Message', 'Attach'],
  Start: ['!Activity', '!Table', 'Columns', 'KeyColumn', 'AtOnce', 'StopAfterFailures'],
};

/** Columns whose formulas are evaluated when the step runs: they may use the run's own results. */
const CALCULATED = ['Message', 'Subject', 'To', 'Cc', 'FileName'];

/** Actions that are planned and documented, so that their problem message can say so. */
const LATER = ['Call'];

const ENCODINGS = ['UTF-8', 'UTF-16', 'UTF-16LE', 'UTF-16BE', 'windows-1252'] as const;
const DATE_FORMATS = ['yyyy-mm-dd', 'dd/mm/yyyy', 'mm/dd/yyyy', 'yyyymmdd'] as const;
const SEVERITIES = ['Error', 'Warning', 'Information'] as const;

export function readSteps(world: StepWorld): StepDefinition[] {
  const masked: StepScope['masked'] = [];
  return world.rows.flatMap((row, index) => readStep(world, row, index, masked) ?? []);
}

function readStep(world: StepWorld, row: PortalRow, index: number, masked: StepScope['masked']): StepDefinition | null {
  const reader = createRowReader(row, world.problems);
  const Step = reader.text('Step') || `Step ${index + 1}`;
  const Action = readAction(reader, Step);
  if (!Action) return null;
  const options = readOptions(row, reader, Action, Step);
  const scope: StepScope = { ...world, row, reader, step: Step, action: Action, options, masked };
  checkArea(scope, 'When', 'one');
  CHECKS[Action](scope);
  for (const column of CALCULATED) if (options[`${column}Cell`] !== undefined) checkOwnCell(scope, column);
  return { Step, Action, options };
}

const CHECKS: Record<StepAction, (scope: StepScope) => void> = {
  Import: checkImport,
  Query: checkQuery,
  Write: checkWrite,
  Export: checkExport,
  Check: (scope) => void checkArea(scope, 'Cell'),
  Log: () => undefined,
  Prompt: checkPrompt,
  Mail: checkMail,
  Start: checkStart,
};

/** Refuses a formula on the Portal sheet whose own cell is filled by a masked prompt. */
function checkOwnCell(scope: StepScope, column: string): void {
  const found = resolveArea(scope.model, scope.options[`${column}Cell`]!, null);
  if ('area' in found) refuseMasked(scope, column, found.area);
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
        ? `The step '${step}' has the action ${isLater}, which this version does not support.`
        : `The step '${step}' has an unknown action '${written}'.`;
  reader.addProblem('Action', message, `Actions of this version: ${STEP_ACTIONS.join(', ')}.`);
  return null;
}

function readOptions(row: PortalRow, reader: RowReader, action: StepAction, step: string): Record<string, string> {
  const options: Record<string, string> = {};
  const known = OPTIONS[action].map((name) => name.replace('!', ''));
  for (const [column, { text }] of row.cells) {
    if (text === '' || column === 'Step' || column === 'Action') continue;
    if (column === 'When' || known.includes(column)) options[column] = text;
    else
      reader.addProblem(
        column,
        `The step '${step}' has the action ${action}, which does not use ${column}.`,
        'Empty the cell.',
      );
  }
  for (const name of OPTIONS[action]) {
    if (!name.startsWith('!')) continue;
    const isSaid = options[name.slice(1)] !== undefined || row.cells.get(name.slice(1))?.hasFormula;
    if (!isSaid)
      reader.addProblem(name.slice(1), `The step '${step}' needs a value in ${name.slice(1)}.`, 'Enter a value.');
  }
  for (const column of CALCULATED.filter((name) => known.includes(name))) {
    const cell = row.cells.get(column);
    if (cell?.hasFormula)
      options[`${column}Cell`] = `'${cell.location.sheet.replaceAll("'", "''")}'!${cell.location.cell}`;
  }
  if (options['Severity']) reader.choice('Severity', action === 'Check' ? SEVERITIES.slice(0, 2) : SEVERITIES.slice(1));
  return options;
}

function checkImport(scope: StepScope): void {
  const { reader, options, inputs } = scope;
  const { Input, HeaderRow, Delimiter } = options;
  if (Input !== undefined && !inputs.some(({ name }) => sameName(name, Input, 'input')))
    reader.addProblem('Input', `There is no input '${Input}'.`, 'Enter the name of an input that takes a file.');
  const table = tableOf(scope);
  if (table) checkTarget(scope, table);
  const headerRow = HeaderRow === undefined ? 1 : Number(HeaderRow);
  if (!Number.isInteger(headerRow) || headerRow < 1)
    reader.addProblem(
      'HeaderRow',
      'HeaderRow must be a whole number from 1.',
      'Enter the number of the row with the column names.',
    );
  reader.choice('Encoding', ENCODINGS);
  reader.choice('DateFormat', DATE_FORMATS);
  reader.choice('DecimalSeparator', ['.', ',']);
  if (Delimiter !== undefined && delimiterOf(Delimiter) === null)
    reader.addProblem('Delimiter', `'${Delimiter}' is not a valid delimiter.`, 'Enter one character, or Tab.');
}
