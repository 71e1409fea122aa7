/** API keys that are limited to some activities. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ApiKeys', (t) => {
    // Ids as a JSON list instead of a table of references: the key must not become valid for all activities when the
    // last one is deleted.
    t.text('ActivityIds').nullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ApiKeys', (t) => t.dropColumn('ActivityIds'));
}
