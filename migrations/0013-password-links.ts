/** Links with which users set their own password, mailed to new users and to users who forgot theirs. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('PasswordLinks', (t) => {
    // SHA-256 of the token in the link, base64url. A copy of the database cannot be used to set passwords.
    t.string('TokenHash', 43).primary({ constraintName: 'PK_PasswordLinks' });
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.timestamp('ExpiryTime', time).notNullable();
    t.index(['UserId'], 'IX_PasswordLinks_UserId');
    t.index(['ExpiryTime'], 'IX_PasswordLinks_ExpiryTime');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('PasswordLinks');
}
