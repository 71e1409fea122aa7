/** The generated row types describe the migrated database. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRowTypes, readTableColumns, ROW_TYPES_FILE } from '#test/support/schema/make-row-types.ts';
import type { Column } from '#test/support/schema/make-row-types.ts';
import { testDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

/** By the names of PostgreSQL and SQL Server. */
const TYPES: Record<string, Column['type']> = {
  bigint: 'number',
  bit: 'boolean',
  boolean: 'boolean',
  'character varying': 'string',
  datetimeoffset: 'Date',
  'double precision': 'number',
  float: 'number',
  int: 'number',
  integer: 'number',
  nvarchar: 'string',
  real: 'number',
  smallint: 'number',
  text: 'string',
  'timestamp with time zone': 'Date',
};

interface CatalogColumn {
  Table: string;
  Column: string;
  Type: string;
  Nullable: 'YES' | 'NO';
}

const COLUMNS = `select C.TABLE_NAME as "Table", C.COLUMN_NAME as "Column", C.DATA_TYPE as "Type", C.IS_NULLABLE as "Nullable"
  from INFORMATION_SCHEMA.COLUMNS C
  join INFORMATION_SCHEMA.TABLES T on T.TABLE_SCHEMA = C.TABLE_SCHEMA and T.TABLE_NAME = C.TABLE_NAME
  where C.TABLE_SCHEMA in ('public', 'dbo') and T.TABLE_TYPE = 'BASE TABLE' and C.TABLE_NAME not like 'Migrations%'`;

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.drop());

describe('the generated row types', () => {
  it('are what `npm run schema` generates from the migrations', async () => {
    const file = readFileSync(ROW_TYPES_FILE, 'utf8').replaceAll('\r\n', '\n');
    expect(file, 'run `npm run schema` and commit the file').toBe(makeRowTypes(await readTableColumns()));
  });

  it('have the columns of the migrated database, with their types', async () => {
    const answer = await database.knex.raw<CatalogColumn[] | { rows: CatalogColumn[] }>(COLUMNS);
    const found = (Array.isArray(answer) ? answer : answer.rows).map(
      ({ Table, Column: name, Type, Nullable }) => `${Table}.${name}: ${TYPES[Type] ?? Type}, null: ${Nullable}`,
    );
    const expected = (await readTableColumns()).flatMap(({ name: table, columns }) =>
      columns.map(({ name, type, isNullable }) => `${table}.${name}: ${type}, null: ${isNullable ? 'YES' : 'NO'}`),
    );
    expect(expected.length).toBeGreaterThan(500);
    expect(found.sort()).toEqual(expected.sort());
  });
});
