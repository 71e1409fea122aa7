/** Idempotency keys of calls that created something, so that a repeated call does not create it again. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('CreationKeys', (t) => {
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.string('UniqueId', 64).notNullable();
    // What was created: its table and its Id.
    t.string('RecordTable', 40).notNullable();
    t.integer('RecordId').notNullable();
    // SHA-256 of what the call sent, base64url: the same key with other content is refused.
    t.string('ContentHash', 43).notNullable();
    t.timestamp('CreateTime', { useTz: true, precision: 3 }).notNullable().defaultTo(knex.fn.now());
    t.primary(['UserId', 'UniqueId'], { constraintName: 'PK_CreationKeys' });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('CreationKeys');
}
