/** API keys that are for some activities alone. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ApiKeys', (t) => {
    // Numbers as a JSON list, and no table of references: a key must not become one for everything when the last of its activities is deleted.
    t.text('ActivityIds').nullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ApiKeys', (t) => t.dropColumn('ActivityIds'));
}
