/** The squashed schema creates the same database as the migrations. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { migrateToLatest } from '#server/db/migrate.ts';
import { makeSchema } from '#test/support/schema/make-schema.ts';
import { readCatalog } from '#test/support/schema/sql-server-catalog.ts';
import { createSchema, SCHEMA_FILE } from '#test/support/schema/sql-server-schema.ts';
import { TARGETS } from './targets.ts';

describe('the squashed schema of SQL Server', () => {
  it('is what `npm run schema` generates from the migrations', async () => {
    const file = readFileSync(SCHEMA_FILE, 'utf8').replaceAll('\r\n', '\n');
    expect(file, 'run `npm run schema` and commit the file').toBe(await makeSchema());
  });

  const target = TARGETS.find(({ name }) => name === 'a SQL Server')!;

  it('equals the migrated database', async (context) => {
    context.skip(target.missing !== undefined, target.missing);
    const [migrated, squashed] = [await target.open(), await target.open()];
    try {
      await migrateToLatest(migrated.database);
      await createSchema(squashed.database.knex);
      const [expected, found] = [await readCatalog(migrated.database.knex), await readCatalog(squashed.database.knex)];
      // A catalog that this login may not read would prove nothing.
      expect(expected.parts.columns!.length).toBeGreaterThan(500);
      expect(expected.rows.Migrations!.length).toBeGreaterThan(40);
      for (const [part, rows] of Object.entries(expected.parts)) expect(found.parts[part], part).toEqual(rows);
      expect(found).toEqual(expected);
    } finally {
      await migrated.drop();
      await squashed.drop();
    }
  });
});
