/**
 * Schedules that are paused until a user resumes them, indexes for the newest run of each schedule, and notifications
 * that were read.
 */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;
const TABLES = ['ActivitySchedules', 'ChecklistSchedules'];

export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    await knex.schema.alterTable(table, (t) => {
      // While a schedule is paused, its NextTime is far in the future, so that servers of an earlier version pause it,
      // too.
      t.timestamp('PausedTime', time);
    });
  }
  await knex.schema.alterTable('ScheduledRuns', (t) => {
    t.index(['ActivityId', 'ActivityRunId'], 'IX_ScheduledRuns_ActivityId');
  });
  await knex.schema.alterTable('ScheduledChecklistRuns', (t) => {
    t.index(['ChecklistId', 'ChecklistRunId'], 'IX_ScheduledChecklistRuns_ChecklistId');
  });
  await knex.schema.createTable('NotificationReads', (t) => {
    t.bigInteger('ActivityRunId')
      .primary({ constraintName: 'PK_NotificationReads' })
      .references('Id')
      .inTable('ActivityRuns')
      .onDelete('CASCADE');
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('NotificationReads');
  await knex.schema.alterTable('ScheduledChecklistRuns', (t) => {
    t.dropIndex([], 'IX_ScheduledChecklistRuns_ChecklistId');
  });
  await knex.schema.alterTable('ScheduledRuns', (t) => {
    t.dropIndex([], 'IX_ScheduledRuns_ActivityId');
  });
  for (const table of TABLES) await knex.schema.alterTable(table, (t) => t.dropColumn('PausedTime'));
}
