import { migrationsHash } from './migrations-hash.ts';
import { recordMigrations } from './recorded-migrations.ts';
import { header, SEPARATOR } from './sql-server-schema.ts';
import { squashStatements } from './squash-statements.ts';

/** Returns the text of the schema file, generated from the migrations. */
export async function makeSchema(): Promise<string> {
  const { tables, additions, views, inserts } = squashStatements(await recordMigrations());
  const joined = (statements: readonly string[]): string => statements.map((sql) => `${sql};`).join('\n');
  // Each view has its own batch, because SQL Server stores the text of the whole batch as the definition.
  const batches = [...batchTables(tables).map(joined), joined(additions), ...views, joined(inserts)];
  return `${[header(migrationsHash()), ...batches].join(SEPARATOR)}\n`;
}

/**
 * One batch saves a round trip per table. A table with computed columns has its own batch: Babelfish needs their
 * expressions rewritten, and the rewriting handles one per batch.
 */
function batchTables(tables: readonly string[]): string[][] {
  const batches: string[][] = [[]];
  for (const table of tables) {
    if (/\bpersisted\b/i.test(table)) batches.push([table], []);
    else batches.at(-1)!.push(table);
  }
  return batches.filter((batch) => batch.length > 0);
}
