/**
 * Counts the rows that PostgreSQL reads for the statements of some work, from its plans, which do not depend on the
 * load of the machine.
 */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

interface Statement {
  sql: string;
  bindings: readonly unknown[];
}

/** Returns the total of all SELECT statements: rows returned or discarded by scans of tables and indexes. */
export async function rowsRead({ knex }: Pick<Database, 'knex'>, work: () => Promise<unknown>): Promise<number> {
  const statements: Statement[] = [];
  const onQuery = (statement: Statement): void => void statements.push(statement);
  knex.on('query', onQuery);
  try {
    await work();
  } finally {
    knex.removeListener('query', onQuery);
  }
  let rows = 0;
  for (const { sql, bindings } of statements)
    if (/^(?:select|with)\b/i.test(sql)) rows += scanned(await planOf(knex, sql, bindings));
  return rows;
}

async function planOf(knex: Knex, sql: string, bindings: readonly unknown[]): Promise<PlanNode> {
  // The placeholders are already written as $1, $2 ….
  const explained = knex.raw(`explain (analyze, format json) ${sql.replaceAll(/\$\d+/g, '?')}`, bindings as never);
  const { rows } = (await explained) as { rows: { 'QUERY PLAN': { Plan: PlanNode }[] }[] };
  return rows[0]!['QUERY PLAN'][0]!.Plan;
}

function scanned(node: PlanNode): number {
  const isScan = node['Node Type'].endsWith('Scan') && !/^(?:Subquery|CTE|WorkTable)/.test(node['Node Type']);
  const given =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = isScan ? given * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, part) => sum + scanned(part), own);
}
