/** Notifications about what the schedules of checklists and workflows started, and about what they could not start. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    // When the schedule recorded a run that it skipped or could not start; null for all runs that started.
    t.timestamp('NotStartedTime', time);
  });
  await knex('ChecklistRuns')
    .where((none) => void none.where('IsLeftOut', true).orWhere('Status', 'LogicError'))
    .update({ NotStartedTime: knex.ref('EndTime') });
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    t.index(['NotStartedTime', 'Id'], 'IX_ChecklistRuns_NotStartedTime', {
      predicate: knex.whereNotNull('NotStartedTime'),
    });
  });
  await knex.schema.alterTable('ScheduledChecklistRuns', (t) => {
    t.index(['UserId', 'SlotTime'], 'IX_ScheduledChecklistRuns_UserId');
  });
  // One row per user, because several users are notified of one run.
  await knex.schema.createTable('ChecklistRunDismissals', (t) => {
    t.bigInteger('ChecklistRunId').notNullable().references('Id').inTable('ChecklistRuns').onDelete('CASCADE');
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
    t.primary(['ChecklistRunId', 'UserId'], { constraintName: 'PK_ChecklistRunDismissals' });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('ChecklistRunDismissals');
  await knex.schema.alterTable('ScheduledChecklistRuns', (t) => {
    t.dropIndex([], 'IX_ScheduledChecklistRuns_UserId');
  });
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    t.dropIndex([], 'IX_ChecklistRuns_NotStartedTime');
  });
  await knex.schema.alterTable('ChecklistRuns', (t) => t.dropColumns('NotStartedTime'));
}
