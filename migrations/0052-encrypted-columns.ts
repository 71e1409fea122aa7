import type { Knex } from 'knex';

const COLUMNS = [
  { table: 'SsoTickets', before: 'Sealed', name: 'Encrypted' },
  { table: 'SsoSessions', before: 'Sealed', name: 'Encrypted' },
  { table: 'RunPrompts', before: 'SealedAnswer', name: 'EncryptedAnswer' },
];

/** Renames columns to use one word for the same thing everywhere. */
export async function up(knex: Knex): Promise<void> {
  for (const { table, before, name } of COLUMNS)
    await knex.schema.alterTable(table, (t) => void t.renameColumn(before, name));
}

export async function down(knex: Knex): Promise<void> {
  for (const { table, before, name } of COLUMNS)
    await knex.schema.alterTable(table, (t) => void t.renameColumn(name, before));
}
