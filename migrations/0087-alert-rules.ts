/** Alert rules that cover many activities, muted alerts, and what each user chooses to be notified of. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;
// On SQL Server, nulls are alike in a unique index.
const DEFAULTS = "?? is not null and ?? in ('Owner', 'Starter')";

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Alerts', (t) => {
    // What a rule covers; null for an alert of one activity or checklist. Owner and Starter are the rules that every
    // user has without creating them.
    t.string('Scope', 10);
    // The schema, the group or the pattern of names.
    t.string('ScopeValue', 200);
  });
  await knex.schema.alterTable('Alerts', (t) => {
    t.index(['UserId', 'Id'], 'IX_Alerts_UserId', { predicate: knex.whereNotNull('Scope') });
    t.unique(['UserId', 'Scope'], {
      indexName: 'UX_Alerts_Default',
      predicate: knex.whereRaw(DEFAULTS, ['UserId', 'Scope']),
    });
  });
  await knex.schema.alterTable('AlertFirings', (t) => {
    // What a rule has fired for. No foreign keys: only the alert owns its firings.
    t.integer('ActivityId');
    t.integer('ChecklistId');
  });
  await knex.schema.alterTable('AlertFirings', (t) => {
    t.index(['Subject', 'AlertId'], 'IX_AlertFirings_Subject');
    t.index(['Time'], 'IX_AlertFirings_Time');
  });
  await knex.schema.alterTable('AlertNotices', (t) => {
    // When the mail about the notice is due; null if there is none, or if it was written.
    t.timestamp('MailTime', time);
    // When the mail was written. One mail is about all notices of a user that are due.
    t.timestamp('MailedTime', time);
  });
  await knex.schema.alterTable('AlertNotices', (t) => {
    t.index(['MailTime', 'UserId'], 'IX_AlertNotices_MailTime', { predicate: knex.whereNotNull('MailTime') });
    t.index(['UserId', 'MailTime'], 'IX_AlertNotices_MailOfUser', { predicate: knex.whereNotNull('MailTime') });
    t.index(['UserId', 'MailedTime'], 'IX_AlertNotices_MailedTime', { predicate: knex.whereNotNull('MailedTime') });
  });
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    t.index(['EndTime', 'Id'], 'IX_ChecklistRuns_Ended', { predicate: knex.whereNotNull('EndTime') });
  });
  await knex.schema.createTable('AlertMutes', (t) => {
    t.integer('AlertId').notNullable().references('Id').inTable('Alerts').onDelete('CASCADE');
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    // Null until the user unmutes the alert.
    t.timestamp('Until', time);
    t.primary(['AlertId', 'UserId'], { constraintName: 'PK_AlertMutes' });
  });
  await knex.schema.createTable('SucceededDismissals', (t) => {
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.integer('ActivityId').notNullable();
    // The newest run that the dismissed notification counted.
    t.bigInteger('ActivityRunId').notNullable();
    t.primary(['UserId', 'ActivityId'], { constraintName: 'PK_SucceededDismissals' });
  });
  await knex.schema.alterTable('NotificationSettings', (t) => {
    // What the user is notified of, and how: JSON. Null for the defaults.
    t.text('Choices');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('NotificationSettings', (t) => t.dropColumn('Choices'));
  for (const table of ['SucceededDismissals', 'AlertMutes']) await knex.schema.dropTable(table);
  await knex.schema.alterTable('ChecklistRuns', (t) => t.dropIndex([], 'IX_ChecklistRuns_Ended'));
  await knex.schema.alterTable('AlertNotices', (t) => {
    for (const name of ['MailTime', 'MailOfUser', 'MailedTime']) t.dropIndex([], `IX_AlertNotices_${name}`);
  });
  await knex.schema.alterTable('AlertNotices', (t) => t.dropColumns('MailTime', 'MailedTime'));
  await knex.schema.alterTable('AlertFirings', (t) => {
    t.dropIndex([], 'IX_AlertFirings_Subject');
    t.dropIndex([], 'IX_AlertFirings_Time');
  });
  await knex.schema.alterTable('AlertFirings', (t) => t.dropColumns('ActivityId', 'ChecklistId'));
  // Alerts of the earlier version belong to one activity or checklist.
  await knex('Alerts').whereNotNull('Scope').delete();
  await knex.schema.alterTable('Alerts', (t) => {
    t.dropIndex([], 'UX_Alerts_Default');
    t.dropIndex([], 'IX_Alerts_UserId');
  });
  await knex.schema.alterTable('Alerts', (t) => t.dropColumns('Scope', 'ScopeValue'));
}
