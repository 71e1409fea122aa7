/** Failed sign-ins and codes, counted for all servers together; and what an API key may be used for. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('FailedAttempts', (t) => {
    // SHA-256 of the counted name, base64url, because users sometimes type passwords into name fields.
    t.string('KeyHash', 43).primary({ constraintName: 'PK_FailedAttempts' });
    t.integer('Failures').notNullable();
    t.timestamp('LastTime', time).notNullable();
    t.index(['LastTime'], 'IX_FailedAttempts_LastTime');
  });
  await knex.schema.alterTable('ApiKeys', (t) => {
    // Existing keys retain all their permissions.
    t.string('Scope', 20).notNullable().defaultTo('All');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ApiKeys', (t) => {
    t.dropColumn('Scope');
  });
  await knex.schema.dropTable('FailedAttempts');
}
