/** Runs of visitors, who are identified only by a token. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    // SHA-256 of the token, base64url. A copy of the database cannot be used to open a run. Null for runs of users.
    t.string('PublicTokenHash', 43);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropColumn('PublicTokenHash');
  });
}
