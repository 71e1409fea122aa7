/** What runs ask of people, and which line of the log asks it. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('RunPrompts', (t) => {
    t.string('PromptKey', 36).primary({ constraintName: 'PK_RunPrompts' });
    t.bigInteger('ActivityRunId').notNullable().references('Id').inTable('ActivityRuns').onDelete('CASCADE');
    t.string('Type', 10).notNullable();
    t.timestamp('ExpiryTime', time).notNullable();
    // Answers are sealed with it; what opens them is in the memory of the worker that waits, and nowhere else.
    t.text('PublicKey').notNullable();
    t.text('SealedAnswer');
    t.timestamp('AnswerTime', time);
    t.integer('AnswerUserId');
    // From then on nobody waits for it.
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
