/**
 * Alerts of activities and checklists, their firings and receivers; and when users receive mails about notifications.
 */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('Alerts', (t) => {
    t.increments('Id');
    // Exactly one of the two is set.
    t.integer('ActivityId').references('Id').inTable('Activities');
    t.integer('ChecklistId').references('Id').inTable('Checklists');
    t.string('Name', 100).notNullable();
    t.string('Kind', 10).notNullable();
    // When it fires, who is notified, and who is notified at escalation: JSON.
    t.text('Condition').notNullable();
    t.text('Receivers').notNullable();
    t.text('NextReceivers').notNullable();
    t.integer('EscalateMinutes');
    // Webhooks with their addresses, as encrypted JSON: anybody who knows an address can post to it.
    t.text('SealedWebhooks').notNullable();
    t.boolean('IsActive').notNullable();
    // The user who saved the alert last. Webhooks receive only what this user may see.
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    // For a lateness alert: time of the next check.
    t.timestamp('NextTime', time);
    t.timestamp('CreateTime', time).notNullable().defaultTo(knex.fn.now());
    t.index(['ActivityId'], 'IX_Alerts_ActivityId', { predicate: knex.whereNotNull('ActivityId') });
    t.index(['ChecklistId'], 'IX_Alerts_ChecklistId', { predicate: knex.whereNotNull('ChecklistId') });
    t.index(['NextTime'], 'IX_Alerts_NextTime', { predicate: knex.whereNotNull('NextTime') });
  });
  await knex.schema.createTable('AlertFirings', (t) => {
    t.bigIncrements('Id');
    t.integer('AlertId').notNullable().references('Id').inTable('Alerts').onDelete('CASCADE');
    // What the alert fired for, at most once each: a run, a workflow run, a day.
    t.string('Subject', 60).notNullable();
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
    // No foreign keys: a firing remains when its run is purged.
    t.bigInteger('ActivityRunId');
    t.bigInteger('ChecklistRunId');
    t.string('Message', 1000).notNullable();
    t.integer('Category').notNullable();
    t.boolean('IsTest').notNullable();
    t.timestamp('SeenTime', time);
    t.integer('SeenBy').references('UserId').inTable('Users');
    // Time of the escalation. Null if there is none, or if it has taken place.
    t.timestamp('EscalateTime', time);
    t.unique(['AlertId', 'Subject'], { indexName: 'UX_AlertFirings_Subject', useConstraint: true });
    t.index(['AlertId', 'Id'], 'IX_AlertFirings_AlertId');
    t.index(['EscalateTime'], 'IX_AlertFirings_EscalateTime', { predicate: knex.whereNotNull('EscalateTime') });
  });
  await knex.schema.createTable('AlertNotices', (t) => {
    t.bigIncrements('Id');
    t.bigInteger('AlertFiringId').notNullable().references('Id').inTable('AlertFirings').onDelete('CASCADE');
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.boolean('ByBell').notNullable();
    // Later than the firing if the user has quiet hours.
    t.timestamp('VisibleTime', time).notNullable();
    t.timestamp('DismissedTime', time);
    t.unique(['AlertFiringId', 'UserId'], { indexName: 'UX_AlertNotices', useConstraint: true });
    t.index(['UserId', 'VisibleTime'], 'IX_AlertNotices_UserId');
  });
  await knex.schema.createTable('NotificationSettings', (t) => {
    t.integer('UserId').primary({ constraintName: 'PK_NotificationSettings' }).references('UserId').inTable('Users');
    // Minutes of the day in TimeZone; null for none.
    t.integer('QuietFrom');
    t.integer('QuietUntil');
    t.integer('SummaryAt');
    t.string('TimeZone', 64).notNullable();
    t.timestamp('SummaryNext', time);
    t.index(['SummaryNext'], 'IX_NotificationSettings_SummaryNext', { predicate: knex.whereNotNull('SummaryNext') });
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['NotificationSettings', 'AlertNotices', 'AlertFirings', 'Alerts'])
    await knex.schema.dropTable(table);
}
