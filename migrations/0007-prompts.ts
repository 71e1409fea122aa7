/** Questions that runs ask users, and the log entry that asks each of them. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('RunPrompts', (t) => {
    t.string('PromptKey', 36).primary({ constraintName: 'PK_RunPrompts' });
    t.bigInteger('ActivityRunId').notNullable().references('Id').inTable('ActivityRuns').onDelete('CASCADE');
    t.string('Type', 10).notNullable();
    t.timestamp('ExpiryTime', time).notNullable();
    // Answers are encrypted with this key. The private key is only in the memory of the waiting worker.
    t.text('PublicKey').notNullable();
    t.text('SealedAnswer');
    t.timestamp('AnswerTime', time);
    t.integer('AnswerUserId');
    // After this time, nobody waits for the answer.
    t.timestamp('ClosedTime', time);
    t.index(['ActivityRunId'], 'IX_RunPrompts_ActivityRunId');
  });
  await knex.schema.alterTable('RunLogEntries', (t) => {
    t.string('PromptKey', 36);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('RunLogEntries', (t) => {
    t.dropColumn('PromptKey');
  });
  await knex.schema.dropTable('RunPrompts');
}
