/** The place of a row of a For each in its table, which its name does not tell. */
import type { Knex } from 'knex';

const TABLES = ['ActivityRuns', 'ChecklistKeptRuns'];

export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    await knex.schema.alterTable(table, (t) => {
      // From 0; null of what is no row.
      t.integer('RowIndex');
    });
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.schema.alterTable(table, (t) => t.dropColumns('RowIndex'));
}
