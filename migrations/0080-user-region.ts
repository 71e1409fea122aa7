/** Stores the region that determines how a user types and reads values. Null means the region of the browser. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Users', (t) => {
    t.string('Region', 20);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Users', (t) => t.dropColumn('Region'));
}
