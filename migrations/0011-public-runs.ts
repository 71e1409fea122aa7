/** Runs of visitors, who are known by a token alone. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    // SHA-256 of the token, base64url: a copy of the database opens no run. Null for runs of users.
    t.string('PublicTokenHash', 43);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropColumn('PublicTokenHash');
  });
}
