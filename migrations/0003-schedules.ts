/**
 * Schedules and the runs they started, retention periods, what a purge removed from a run, and dismissed notifications.
 */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('ActivitySchedules', (t) => {
    t.integer('ActivityId').primary({ constraintName: 'PK_ActivitySchedules' }).references('Id').inTable('Activities');
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.string('ScheduleType', 10).notNullable();
    // A fraction of the day.
    t.float('TimeOfDay', 53).notNullable();
    t.integer('RetryCount').notNullable();
    // In minutes.
    t.integer('RetryInterval').notNullable();
    // The time zone that was used to calculate NextTime.
    t.string('TimeZone', 64).notNullable();
    t.timestamp('NextTime', time).notNullable();
    t.index(['NextTime'], 'IX_ActivitySchedules_NextTime');
    t.index(['UserId'], 'IX_ActivitySchedules_UserId');
  });
  await knex.schema.createTable('ScheduledRuns', (t) => {
    t.bigInteger('ActivityRunId')
      .primary({ constraintName: 'PK_ScheduledRuns' })
      .references('Id')
      .inTable('ActivityRuns')
      .onDelete('CASCADE');
    t.integer('ActivityId').notNullable();
    t.integer('UserId').notNullable();
    t.timestamp('SlotTime', time).notNullable();
    // 0 for the run at the scheduled time, increased by one for each retry.
    t.integer('Attempt').notNullable();
    t.integer('RetryCount').notNullable();
    t.integer('RetryInterval').notNullable();
    // After this time, the run is not retried.
    t.timestamp('SettledTime', time);
    t.index(['UserId', 'ActivityRunId'], 'IX_ScheduledRuns_UserId');
    t.index(['ActivityId', 'ActivityRunId'], 'IX_ScheduledRuns_Open', { predicate: knex.whereNull('SettledTime') });
  });
  await knex.schema.createTable('ActivityRetentions', (t) => {
    t.integer('ActivityId').primary({ constraintName: 'PK_ActivityRetentions' }).references('Id').inTable('Activities');
    // In days. Null means no limit.
    t.integer('RunRetention');
    t.integer('RunDataRetention');
    t.integer('RunInputsRetention');
  });
  await knex.schema.createTable('NotificationDismissals', (t) => {
    t.bigInteger('ActivityRunId')
      .primary({ constraintName: 'PK_NotificationDismissals' })
      .references('Id')
      .inTable('ActivityRuns')
      .onDelete('CASCADE');
    t.bigInteger('LogEntryId').notNullable();
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    // When retention or a purge removed inputs, outputs or their files from the run.
    t.timestamp('InputsPurgedTime', time);
    t.timestamp('OutputsPurgedTime', time);
    t.index(['RetryOf'], 'IX_ActivityRuns_RetryOf', { predicate: knex.whereNotNull('RetryOf') });
    t.index(['UserId', 'Id'], 'IX_ActivityRuns_Notable', {
      // Literals, because an index definition cannot contain bound values.
      predicate: knex.whereRaw(
        "?? in ('SucceededWarn', 'Failed', 'Cancelled', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed')",
        ['Status'],
      ),
    });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropIndex([], 'IX_ActivityRuns_Notable');
    t.dropIndex([], 'IX_ActivityRuns_RetryOf');
    t.dropColumns('InputsPurgedTime', 'OutputsPurgedTime');
  });
  for (const table of ['NotificationDismissals', 'ActivityRetentions', 'ScheduledRuns', 'ActivitySchedules']) {
    await knex.schema.dropTable(table);
  }
}
