import type { Knex } from 'knex';

const COLUMNS = [
  { table: 'Webhooks', before: 'SealedSecret', name: 'EncryptedSecret' },
  { table: 'Webhooks', before: 'SealedOldSecret', name: 'EncryptedOldSecret' },
  { table: 'Deliveries', before: 'SealedTarget', name: 'EncryptedTarget' },
  { table: 'Alerts', before: 'SealedWebhooks', name: 'EncryptedWebhooks' },
  { table: 'Triggers', before: 'SealedSecret', name: 'EncryptedSecret' },
];

/** Names the columns as in migration 0052: values that are encrypted with the server's key. */
export async function up(knex: Knex): Promise<void> {
  for (const { table, before, name } of COLUMNS)
    await knex.schema.alterTable(table, (t) => void t.renameColumn(before, name));
}

export async function down(knex: Knex): Promise<void> {
  for (const { table, before, name } of COLUMNS)
    await knex.schema.alterTable(table, (t) => void t.renameColumn(name, before));
}
