/** Who a download token was made for: it ends where the person is disabled. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('DownloadTokens', (t) => {
    // Null for a visitor. No foreign key: a token lives for two minutes, and a deleted user is one that is not enabled.
    t.integer('UserId');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('DownloadTokens', (t) => t.dropColumns('UserId'));
}
