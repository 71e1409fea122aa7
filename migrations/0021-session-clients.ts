/** The program that started a session, so that the owner can recognize it. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Sessions', (t) => {
    // The User-Agent header of the program.
    t.string('Client', 255).notNullable().defaultTo('');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Sessions', (t) => {
    t.dropColumn('Client');
  });
}
