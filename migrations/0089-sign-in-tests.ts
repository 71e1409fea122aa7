/** Results of test sign-ins, until the page of the administrator who began the test has read them. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  // Not in SsoTickets: nothing that is stored here can ever start a session.
  await knex.schema.createTable('SsoTests', (t) => {
    t.string('TokenHash', 43).primary({ constraintName: 'PK_SsoTests' });
    t.string('BindingHash', 43).notNullable();
    // The administrator.
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    // JSON.
    t.text('Report').notNullable();
    t.timestamp('ExpiryTime', time).notNullable();
    t.index(['ExpiryTime'], 'IX_SsoTests_ExpiryTime');
    t.index(['UserId'], 'IX_SsoTests_UserId');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('SsoTests');
}
