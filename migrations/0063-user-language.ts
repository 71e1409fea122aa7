/** Keeps the language that a person reads the screens in; null follows the browser. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Users', (t) => {
    t.string('Language', 10);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Users', (t) => t.dropColumn('Language'));
}
