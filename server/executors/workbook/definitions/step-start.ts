/** Checks the Start step of the Portal sheet. */
import { MAX_FOR_EACH_CONCURRENCY } from '#shared/rules/workflows/types.ts';
import { tableBody } from './blocks.ts';
import { columnNames } from './step-database.ts';
import { refuseMasked } from './step-scope.ts';
import type { StepScope } from './step-scope.ts';
import { tableOf } from './step-tables.ts';

export function checkStart(scope: StepScope): void {
  const { reader, options, step, row } = scope;
  if (row.cells.get('Activity')?.hasFormula)
    reader.addProblem(
      'Activity',
      `The step '${step}' gets the name of its activity from a formula.`,
      'Enter its name as text, so that the portal knows which activity to start.',
    );
  const table = tableOf(scope);
  if (table) refuseMasked(scope, 'Table', { sheet: table.sheet, block: tableBody(table) });
  const known = table?.columns.map(({ name }) => name.toLowerCase()) ?? null;
  for (const [column, names] of [
    ['Columns', columnNames(options['Columns'] ?? '')],
    ['KeyColumn', options['KeyColumn'] === undefined ? [] : [options['KeyColumn']]],
  ] as const) {
    for (const name of names) {
      if (known && !known.includes(name.toLowerCase()))
        reader.addProblem(column, `The table ${table!.name} has no column '${name}'.`, 'Enter the name of a column.');
    }
  }
  checkCount(scope, 'AtOnce', MAX_FOR_EACH_CONCURRENCY);
  checkCount(scope, 'StopAfterFailures', Infinity);
}

function checkCount({ reader, options }: StepScope, column: string, max: number): void {
  const text = options[column];
  if (text === undefined) return;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= max) return;
  const range = max === Infinity ? 'from 1' : `from 1 to ${max}`;
  reader.addProblem(column, `${column} must be a whole number ${range}.`, 'Enter a number of rows.');
}
