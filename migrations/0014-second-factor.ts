/** A second factor at sign-in: codes of an authenticator app, and recovery codes in place of them. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Users', (t) => {
    t.boolean('SecondFactorRequired').notNullable().defaultTo(false);
    t.boolean('SecondFactorOn').notNullable().defaultTo(false);
    // The key shared with the app, encrypted with one that is not in the database. There before it is on: while it is set up.
    t.text('SecondFactorKey');
    // The last half minute whose code was used: none is taken twice.
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
