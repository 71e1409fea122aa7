/** Codes with which a signed-in browser gives a program on the same computer a separate session. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('AddInCodes', (t) => {
    // Codes are stored only as hashes.
    t.string('CodeHash', 43).primary({ constraintName: 'PK_AddInCodes' });
    // Session of the browser. The code becomes invalid when this session ends.
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
