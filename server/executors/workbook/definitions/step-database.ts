/** Checks the Query and Write steps of the Portal sheet. */
import { WRITE_MODES } from '#server/executors/step-services.ts';
import type { StepCapabilities, WriteMode } from '#server/executors/step-services.ts';
import { isParameterOf, parseQueryText } from '#shared/codecs/query-text.ts';
import { heightOf, tableBody, widthOf } from './blocks.ts';
import { refuseMasked } from './step-scope.ts';
import type { StepScope } from './step-scope.ts';
import { checkTarget, tableOf } from './step-tables.ts';

/** Splits names separated by commas. */
export function columnNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

export const writeMode = (text: string | undefined): WriteMode =>
  WRITE_MODES.find((mode) => mode.toLowerCase() === text?.toLowerCase()) ?? 'Append';

export function checkQuery(scope: StepScope): void {
  const { reader, options, step, row, inputs } = scope;
  const connection = checkConnection(scope);
  checkLimits(scope);
  const table = tableOf(scope);
  if (table) checkTarget(scope, table);
  const { Query } = options;
  if (row.cells.get('Query')?.hasFormula)
    reader.addProblem(
      'Query',
      `The query of the step '${step}' is built by a formula, so values would become part of its text.`,
      'Enter the query as text, with @Name_of_an_input for values.',
    );
  if (Query === undefined) return;
  const { parameters, problem } = parseQueryText(Query, connection?.kind ?? 'pg');
  if (problem) reader.addProblem('Query', `The query of the step '${step}' ${problem}.`, 'Enter a single SELECT.');
  for (const parameter of parameters) {
    const input = inputs.find(({ name }) => isParameterOf(parameter, name));
    if (!input) reader.addProblem('Query', `There is no input for @${parameter}.`, 'Use the name of an input.');
    else if (heightOf(input.area.block) * widthOf(input.area.block) > 1)
      reader.addProblem('Query', `@${parameter} has more than one value.`, 'Use an input of one cell.');
  }
}

export function checkWrite(scope: StepScope): void {
  const { reader, options, step } = scope;
  const connection = checkConnection(scope);
  if (connection && !connection.allowWrites)
    reader.addProblem('Connection', `The connection '${connection.name}' is read-only.`, 'Ask an administrator.');
  checkLimits(scope);
  const mode = reader.choice('Mode', WRITE_MODES) ?? 'Append';
  const table = tableOf(scope);
  if (table) refuseMasked(scope, 'Table', { sheet: table.sheet, block: tableBody(table) });
  const { Columns, KeyColumns, Target } = options;
  if (Target !== undefined && !/^[^.\s][^.]*(\.[^.]+)?$/.test(Target))
    reader.addProblem('Target', `'${Target}' is not a valid table name.`, "Enter it as 'Orders' or 'sales.Orders'.");
  const known = table?.columns.map(({ name }) => name.toLowerCase()) ?? null;
  for (const [column, text] of [
    ['Columns', Columns],
    ['KeyColumns', KeyColumns],
  ] as const) {
    for (const name of columnNames(text ?? '')) {
      if (known && !known.includes(name.toLowerCase()))
        reader.addProblem(
          column,
          `The table ${table!.name} has no column '${name}'.`,
          'Enter names separated by commas.',
        );
    }
  }
  if (mode === 'Upsert' && columnNames(KeyColumns ?? '').length === 0)
    reader.addProblem(
      'KeyColumns',
      `The step '${step}' needs KeyColumns to tell rows apart.`,
      'Enter one or more columns.',
    );
  if (mode !== 'Upsert' && KeyColumns !== undefined)
    reader.addProblem(
      'KeyColumns',
      `KeyColumns are only for Upsert; the step '${step}' uses ${mode}.`,
      'Empty the cell.',
    );
}

/** Returns null if only the run knows the connection because an input names it. */
function checkConnection(scope: StepScope): StepCapabilities['connections'][number] | null {
  const { reader, options, capabilities } = scope;
  const name = options['Connection'];
  if (name === undefined) return null;
  if (name.startsWith('@')) {
    checkConnectionInput(scope, name.slice(1));
    return null;
  }
  const found = capabilities.connections.find((connection) => connection.name.toLowerCase() === name.toLowerCase());
  if (!found)
    reader.addProblem(
      'Connection',
      `There is no connection '${name}' that you may use.`,
      'Enter a connection of this server, or ask an administrator for the right to use it.',
    );
  return found ?? null;
}

function checkConnectionInput({ reader, inputs }: StepScope, name: string): void {
  const input = inputs.find((draft) => isParameterOf(name, draft.name));
  if (!input) reader.addProblem('Connection', `There is no input for @${name}.`, 'Use the name of an input.');
  else if (heightOf(input.area.block) * widthOf(input.area.block) > 1)
    reader.addProblem('Connection', `@${name} has more than one value.`, 'Use an input of one cell.');
}

function checkLimits({ reader, options }: StepScope): void {
  for (const column of ['MaxRows', 'TimeLimit']) {
    const text = options[column];
    if (text !== undefined && !(Number.isInteger(Number(text)) && Number(text) >= 1))
      reader.addProblem(column, `${column} must be a whole number from 1.`, 'Enter a number of rows or seconds.');
  }
}
