/** Schedules of checklists and workflows, how long their runs are retained, and which runs are being deleted. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('ChecklistSchedules', (t) => {
    t.integer('ChecklistId')
      .primary({ constraintName: 'PK_ChecklistSchedules' })
      .references('Id')
      .inTable('Checklists');
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
    t.index(['NextTime'], 'IX_ChecklistSchedules_NextTime');
    t.index(['UserId'], 'IX_ChecklistSchedules_UserId');
  });
  await knex.schema.createTable('ScheduledChecklistRuns', (t) => {
    t.bigInteger('ChecklistRunId')
      .primary({ constraintName: 'PK_ScheduledChecklistRuns' })
      .references('Id')
      .inTable('ChecklistRuns')
      .onDelete('CASCADE');
    t.integer('ChecklistId').notNullable();
    t.integer('UserId').notNullable();
    t.timestamp('SlotTime', time).notNullable();
    // 0 for the run at the scheduled time, increased by one each time it was resumed.
    t.integer('Attempt').notNullable();
    t.integer('RetryCount').notNullable();
    t.integer('RetryInterval').notNullable();
    // After this time, the run is not resumed.
    t.timestamp('SettledTime', time);
    t.index(['ChecklistId', 'ChecklistRunId'], 'IX_ScheduledChecklistRuns_Open', {
      predicate: knex.whereNull('SettledTime'),
    });
  });
  await knex.schema.createTable('ChecklistRetentions', (t) => {
    t.integer('ChecklistId')
      .primary({ constraintName: 'PK_ChecklistRetentions' })
      .references('Id')
      .inTable('Checklists');
    // In days.
    t.integer('RunRetention').notNullable();
  });
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    // When the deletion of the run began. Its activity runs are deleted a few at a time, and users do not see it during
    // that time.
    t.timestamp('PurgeTime', time);
  });
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    t.index(['PurgeTime', 'Id'], 'IX_ChecklistRuns_PurgeTime', { predicate: knex.whereNotNull('PurgeTime') });
    t.index(['ChecklistId', 'EndTime'], 'IX_ChecklistRuns_EndTime');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    t.dropIndex([], 'IX_ChecklistRuns_EndTime');
    t.dropIndex([], 'IX_ChecklistRuns_PurgeTime');
  });
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    t.dropColumns('PurgeTime');
  });
  for (const table of ['ChecklistRetentions', 'ScheduledChecklistRuns', 'ChecklistSchedules']) {
    await knex.schema.dropTable(table);
  }
}
