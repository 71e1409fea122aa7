/** Servers that an administrator drains, and the number of runs that each is executing. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Servers', (t) => {
    // True if a user requested draining. IsDraining is the actual state of the server.
    t.boolean('IsDrainAsked').notNullable().defaultTo(false);
    t.integer('Runs').notNullable().defaultTo(0);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Servers', (t) => t.dropColumns('IsDrainAsked', 'Runs'));
}
