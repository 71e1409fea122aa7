/**
 * Holiday calendars, and schedules in addition to the daily ones: weekly, monthly or cron, any number for each activity
 * and checklist.
 */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;
const RUNS = [
  ['ScheduledRuns', 'ActivityId', 'ActivityRunId'],
  ['ScheduledChecklistRuns', 'ChecklistId', 'ChecklistRunId'],
] as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('HolidayCalendars', (t) => {
    t.increments('Id');
    t.string('Name', 100).notNullable();
    // Non-working weekdays, 1 to 7 from Monday, such as '67'.
    t.string('Weekend', 7).notNullable();
    t.unique(['Name'], { indexName: 'UX_HolidayCalendars_Name', useConstraint: true });
  });
  await knex.schema.createTable('Holidays', (t) => {
    t.integer('CalendarId').notNullable().references('Id').inTable('HolidayCalendars').onDelete('CASCADE');
    // Format '2026-12-25'.
    t.string('Day', 10).notNullable();
    t.string('Name', 200).notNullable();
    t.primary(['CalendarId', 'Day'], { constraintName: 'PK_Holidays' });
  });
  await knex.schema.createTable('Timetables', (t) => {
    t.increments('Id');
    // Exactly one of these two is set.
    t.integer('ActivityId').references('Id').inTable('Activities');
    t.integer('ChecklistId').references('Id').inTable('Checklists');
    t.string('Name', 100).notNullable();
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.text('PlanText').notNullable();
    t.text('InputsText').notNullable();
    t.string('TimeZone', 64).notNullable();
    t.integer('CalendarId').references('Id').inTable('HolidayCalendars');
    t.string('HolidayRule', 10).notNullable();
    t.integer('RetryCount').notNullable();
    // In minutes.
    t.integer('RetryInterval').notNullable();
    t.string('Overlap', 10).notNullable();
    t.string('Missed', 10).notNullable();
    t.integer('MissedMax').notNullable();
    // The first occurrence that has not been handled yet.
    t.timestamp('NextTime', time).notNullable();
    // True if that occurrence waits for the previous run.
    t.boolean('IsWaiting').notNullable().defaultTo(false);
    // While the schedule is paused, its NextTime is far in the future.
    t.timestamp('PausedTime', time);
    t.string('PausedReason', 400);
    t.index(['NextTime'], 'IX_Timetables_NextTime');
    t.index(['UserId'], 'IX_Timetables_UserId');
    t.index(['ActivityId'], 'IX_Timetables_ActivityId', { predicate: knex.whereNotNull('ActivityId') });
    t.index(['ChecklistId'], 'IX_Timetables_ChecklistId', { predicate: knex.whereNotNull('ChecklistId') });
    t.index(['CalendarId'], 'IX_Timetables_CalendarId', { predicate: knex.whereNotNull('CalendarId') });
    t.index(['PausedTime'], 'IX_Timetables_PausedTime', { predicate: knex.whereNotNull('PausedReason') });
  });
  await knex.schema.createTable('TimetableSlots', (t) => {
    t.integer('TimetableId').notNullable().references('Id').inTable('Timetables').onDelete('CASCADE');
    // As part of the key, it ensures that each occurrence is recorded only once.
    t.timestamp('SlotTime', time).notNullable();
    t.string('Outcome', 10).notNullable();
    t.string('Message', 1000).notNullable();
    // Run of the activity or checklist. The run may have been purged.
    t.bigInteger('RunId');
    t.primary(['TimetableId', 'SlotTime'], { constraintName: 'PK_TimetableSlots' });
  });
  for (const [table, key, run] of RUNS) {
    // Null for runs of the daily schedule.
    await knex.schema.alterTable(table, (t) => t.integer('TimetableId'));
    await knex.schema.alterTable(table, (t) => t.index([key, 'TimetableId', run], `IX_${table}_TimetableId`));
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [table] of RUNS) {
    await knex.schema.alterTable(table, (t) => t.dropIndex([], `IX_${table}_TimetableId`));
    await knex.schema.alterTable(table, (t) => t.dropColumn('TimetableId'));
  }
  for (const table of ['TimetableSlots', 'Timetables', 'Holidays', 'HolidayCalendars']) {
    await knex.schema.dropTable(table);
  }
}
