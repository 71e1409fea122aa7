/** A second factor at sign-in: codes of an authenticator app, and recovery codes in place of them. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Users', (t) => {
    t.boolean('SecondFactorRequired').notNullable().defaultTo(false);
    t.boolean('SecondFactorOn').notNullable().defaultTo(false);
    // The key shared with the app, encrypted with a key that is not in the database. Already present during setup,
    // before the second factor is on.
    t.text('SecondFactorKey');
    // The last half-minute period whose code was used. No code is accepted twice.
    t.integer('SecondFactorStep').notNullable().defaultTo(0);
  });
  await knex.schema.createTable('RecoveryCodes', (t) => {
    t.string('CodeHash', 43).primary({ constraintName: 'PK_RecoveryCodes' });
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.index(['UserId'], 'IX_RecoveryCodes_UserId');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('RecoveryCodes');
  await knex.schema.alterTable('Users', (t) => {
    t.dropColumns('SecondFactorRequired', 'SecondFactorOn', 'SecondFactorKey', 'SecondFactorStep');
  });
}
