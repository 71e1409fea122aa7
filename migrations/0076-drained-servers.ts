/** Servers that an administrator drains, and how many runs each is at work on. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Servers', (t) => {
    // Asked for by a person; IsDraining says what the server does.
    t.boolean('IsDrainAsked').notNullable().defaultTo(false);
    t.integer('Runs').notNullable().defaultTo(0);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Servers', (t) => t.dropColumns('IsDrainAsked', 'Runs'));
}
