/** The user for whom a download token was created. The token becomes invalid when the user is disabled. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('DownloadTokens', (t) => {
    // Null for a visitor. No foreign key: a token lives for two minutes, and a deleted user counts as not enabled.
    t.integer('UserId');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('DownloadTokens', (t) => t.dropColumns('UserId'));
}
