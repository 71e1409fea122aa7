/** The common suite for all databases: tables for test statements, on each reachable database. */
import type { Knex } from 'knex';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { Dialect } from '#server/db/dialect/types.ts';
import { TARGETS, type OpenTarget, type Target } from './targets.ts';

export interface ThingRow {
  Id: number;
  Name: string;
  Status: string;
}

/** What the tests of a database use; available from beforeAll on. */
export interface Bench {
  target: Target;
  opened: OpenTarget;
  knex: Knex;
  dialect: Dialect;
}

async function createTables(knex: Knex, types: { timestamp: string; longText: string; bytes: string }): Promise<void> {
  await knex.schema.createTable('Things', (table) => {
    table.bigIncrements('Id');
    table.string('Name', 100).notNullable().unique({ indexName: 'UX_Things_Name' });
    table.string('Status', 20).notNullable().defaultTo('Queued');
    table.boolean('Flag').notNullable().defaultTo(false);
    table.bigInteger('Size');
    table.float('Share', 53);
    table.specificType('Moment', types.timestamp);
    table.timestamp('Made', { useTz: true, precision: 3 }).notNullable().defaultTo(knex.fn.now());
    table.specificType('Info', types.longText);
    table.specificType('Bytes', types.bytes);
  });
  await knex.schema.createTable('Parts', (table) => {
    table.bigIncrements('Id');
    table.bigInteger('ThingId').notNullable();
    table.foreign('ThingId', 'FK_Parts_Things').references('Id').inTable('Things');
  });
  await knex.schema.createTable('Pairs', (table) => {
    table.integer('A').notNullable();
    table.integer('B').notNullable();
    table.string('Text', 50);
    table.primary(['A', 'B'], { constraintName: 'PK_Pairs' });
  });
}

/** @param tests registers the tests; its callback gets the bench once it is set up, before the tests run */
export function onEachDatabase(tests: (whenOpen: (take: (bench: Bench) => void) => void) => void): void {
  for (const target of TARGETS) {
    describe(`on ${target.name}`, () => {
      let opened: OpenTarget;
      const takers: ((bench: Bench) => void)[] = [];
      beforeAll(async () => {
        if (target.missing !== undefined) return;
        opened = await target.open();
        const { knex, dialect } = opened.database;
        await dialect.prepareDatabase(knex);
        await createTables(knex, dialect.types);
        for (const take of takers) take({ target, opened, knex, dialect });
      });
      afterAll(() => opened?.drop());
      beforeEach(async (context) => {
        context.skip(target.missing !== undefined, target.missing);
        for (const table of ['Parts', 'Things', 'Pairs']) await opened.database.knex(table).delete();
      });
      tests((take) => void takers.push(take));
    });
  }
}

export const names = (rows: unknown): string[] => (rows as ThingRow[]).map((row) => row.Name);

/** Inserts things with these names and returns their ids. */
export async function add(knex: Knex, ...named: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const Name of named) {
    const [row] = await knex('Things').insert({ Name }).returning('Id');
    ids.push((row as { Id: number }).Id);
  }
  return ids;
}
