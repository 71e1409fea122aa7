/** Stores the language in which a user reads the screens. Null means the language of the browser. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Users', (t) => {
    t.string('Language', 10);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Users', (t) => t.dropColumn('Language'));
}
