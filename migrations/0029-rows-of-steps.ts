/** The position of a For each row in its table, which its name does not show. */
import type { Knex } from 'knex';

const TABLES = ['ActivityRuns', 'ChecklistKeptRuns'];

export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    await knex.schema.alterTable(table, (t) => {
      // From 0. Null for runs that do not belong to a row.
      t.integer('RowIndex');
    });
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.schema.alterTable(table, (t) => t.dropColumns('RowIndex'));
}
