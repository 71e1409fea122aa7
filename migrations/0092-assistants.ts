/** Assistants that make calls by the Model Context Protocol: their clients, grants and tokens, and who started a run. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('AssistantClients', (t) => {
    t.string('ClientId', 40).primary({ constraintName: 'PK_AssistantClients' });
    // As the client registered itself: nobody has checked it.
    t.string('Name', 100).notNullable();
    // A JSON array.
    t.text('RedirectUris').notNullable();
    t.timestamp('CreatedTime', time).notNullable();
    t.timestamp('LastUsedTime', time).notNullable();
    t.index(['LastUsedTime'], 'IX_AssistantClients_LastUsedTime');
  });
  // A grant is a session, so that whatever ends the sessions of a person also ends what assistants may do for them.
  await knex.schema.createTable('AssistantGrants', (t) => {
    t.string('SessionId', 43).primary({ constraintName: 'PK_AssistantGrants' });
    t.foreign('SessionId', 'FK_AssistantGrants_SessionId')
      .references('SessionId')
      .inTable('Sessions')
      .onDelete('CASCADE');
    t.string('ClientId', 40).notNullable();
    // A copy: the name that the person saw when they consented.
    t.string('ClientName', 100).notNullable();
    t.string('Scope', 20).notNullable();
    t.index(['ClientId'], 'IX_AssistantGrants_ClientId');
  });
  await knex.schema.createTable('AssistantCodes', (t) => {
    t.string('CodeHash', 43).primary({ constraintName: 'PK_AssistantCodes' });
    t.string('ClientId', 40).notNullable();
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.string('RedirectUri', 2000).notNullable();
    t.string('Challenge', 43).notNullable();
    t.string('Scope', 20).notNullable();
    t.string('Address', 64).notNullable();
    t.timestamp('ExpiryTime', time).notNullable();
    // The grant that the code was exchanged for. A second use of the code ends it.
    t.string('SessionId', 43);
    t.index(['ExpiryTime'], 'IX_AssistantCodes_ExpiryTime');
    t.index(['UserId'], 'IX_AssistantCodes_UserId');
  });
  // Not in AccessTokens: a token of an assistant must never count as one of a person's own session.
  await knex.schema.createTable('AssistantTokens', (t) => {
    t.string('TokenHash', 43).primary({ constraintName: 'PK_AssistantTokens' });
    t.string('SessionId', 43).notNullable();
    t.foreign('SessionId', 'FK_AssistantTokens_SessionId')
      .references('SessionId')
      .inTable('AssistantGrants')
      .onDelete('CASCADE');
    t.boolean('IsRefresh').notNullable();
    t.timestamp('ExpiryTime', time).notNullable();
    t.timestamp('ReplacedTime', time);
    t.index(['SessionId'], 'IX_AssistantTokens_SessionId');
    t.index(['ExpiryTime'], 'IX_AssistantTokens_ExpiryTime');
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    // The program that started the run for its user; null if the user did.
    t.string('ClientName', 100);
  });
  await knex.schema.alterTable('Activities', (t) => {
    t.boolean('ForAssistants').notNullable().defaultTo(false);
    t.index(['ForAssistants'], 'IX_Activities_ForAssistants');
  });
  await knex.schema.alterTable('ApiKeys', (t) => {
    t.boolean('AssistantWrites').notNullable().defaultTo(false);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ApiKeys', (t) => t.dropColumn('AssistantWrites'));
  await knex.schema.alterTable('Activities', (t) => {
    t.dropIndex(['ForAssistants'], 'IX_Activities_ForAssistants');
    t.dropColumn('ForAssistants');
  });
  await knex.schema.alterTable('ActivityRuns', (t) => t.dropColumn('ClientName'));
  await knex.schema.dropTable('AssistantTokens');
  await knex.schema.dropTable('AssistantCodes');
  await knex.schema.dropTable('AssistantGrants');
  await knex.schema.dropTable('AssistantClients');
}
