/** What program a session was begun with, for its owner to know it by. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Sessions', (t) => {
    // As the program names itself: the header User-Agent.
    t.string('Client', 255).notNullable().defaultTo('');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Sessions', (t) => {
    t.dropColumn('Client');
  });
}
