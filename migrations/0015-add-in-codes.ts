/** Codes with which a signed-in browser hands a program on the same computer a session of its own. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('AddInCodes', (t) => {
    // Kept as hashes alone.
    t.string('CodeHash', 43).primary({ constraintName: 'PK_AddInCodes' });
    // Of the browser: a code is worth nothing once it has ended.
    t.string('SessionId', 43).notNullable();
    t.foreign('SessionId').references('SessionId').inTable('Sessions').onDelete('CASCADE');
    // SHA-256 of the proof key that only the program knows, base64url.
    t.string('Challenge', 43).notNullable();
    t.string('ClientKind', 40).notNullable();
    t.timestamp('ExpiryTime', time).notNullable();
    t.index(['ExpiryTime'], 'IX_AddInCodes_ExpiryTime');
    t.index(['SessionId'], 'IX_AddInCodes_SessionId');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('AddInCodes');
}
