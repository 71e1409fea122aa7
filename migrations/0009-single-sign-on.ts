/** Users of directories and identity providers, and pending sign-ins with such providers. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  // The source of a user who is not local, and the user's name there.
  await knex.schema.createTable('UserSources', (t) => {
    // Hash of source, source name and user name in the source, so that names are compared exactly, whatever the
    // collation.
    t.string('SourceKey', 43).primary({ constraintName: 'PK_UserSources' });
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.string('SourceName', 60).notNullable();
    t.string('SourceUserName', 256).notNullable();
    t.string('SourceInfo', 512).notNullable().defaultTo('');
    t.unique(['UserId'], { indexName: 'UX_UserSources_UserId', useConstraint: true });
  });
  // Users who were sent to a provider and have not returned yet. Tokens are stored only as hashes.
  await knex.schema.createTable('SsoRequests', (t) => {
    t.string('StateHash', 43).primary({ constraintName: 'PK_SsoRequests' });
    t.string('Provider', 60).notNullable();
    t.string('BindingHash', 43).notNullable();
    // Values known only to the server and the provider's response: SAML request Id, or PKCE verifier and nonce. JSON.
    t.string('Proof', 500).notNullable();
    t.string('Path', 1000).notNullable();
    t.timestamp('ExpiryTime', time).notNullable();
    t.index(['ExpiryTime'], 'IX_SsoRequests_ExpiryTime');
  });
  await knex.schema.createTable('SsoTickets', (t) => {
    t.string('OttHash', 43).primary({ constraintName: 'PK_SsoTickets' });
    t.string('BindingHash', 43).notNullable();
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.string('Provider', 60).notNullable();
    t.string('SubjectHash', 43).notNullable();
    t.string('IndexHash', 43).notNullable();
    t.text('Sealed').notNullable();
    t.timestamp('SsoExpiry', time);
    t.timestamp('ExpiryTime', time).notNullable();
    t.index(['ExpiryTime'], 'IX_SsoTickets_ExpiryTime');
    t.index(['UserId'], 'IX_SsoTickets_UserId');
  });
  await knex.schema.createTable('UsedAssertions', (t) => {
    t.string('AssertionHash', 43).primary({ constraintName: 'PK_UsedAssertions' });
    t.timestamp('ExpiryTime', time).notNullable();
    t.index(['ExpiryTime'], 'IX_UsedAssertions_ExpiryTime');
  });
  // Sessions that were started through a provider.
  await knex.schema.createTable('SsoSessions', (t) => {
    t.string('SessionId', 43).primary({ constraintName: 'PK_SsoSessions' });
    t.foreign('SessionId').references('SessionId').inTable('Sessions').onDelete('CASCADE');
    t.string('Provider', 60).notNullable();
    t.string('SubjectHash', 43).notNullable();
    t.string('IndexHash', 43).notNullable();
    // Names and tokens for renewal and logout, encrypted with a key that is not in the database.
    t.text('Sealed').notNullable();
    t.timestamp('SsoExpiry', time);
    t.index(['Provider', 'SubjectHash'], 'IX_SsoSessions_Subject');
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['SsoSessions', 'UsedAssertions', 'SsoTickets', 'SsoRequests', 'UserSources']) {
    await knex.schema.dropTable(table);
  }
}
