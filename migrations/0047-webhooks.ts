/** What is sent to other programs: webhooks, every delivery and each attempt at it, and up to where events were looked at. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('Webhooks', (t) => {
    t.increments('Id');
    t.string('Name', 100).notNullable();
    t.string('Url', 2000).notNullable();
    t.boolean('OnRunEnded').notNullable();
    t.boolean('OnVersionPublished').notNullable();
    t.boolean('OnApprovalAsked').notNullable();
    t.boolean('IsActive').notNullable();
    t.text('SealedSecret').notNullable();
    // The one before, with which is signed too for a while after a new one was made.
    t.text('SealedOldSecret');
    t.timestamp('OldSecretUntil', time);
    t.timestamp('CreateTime', time).notNullable().defaultTo(knex.fn.now());
  });
  // None for all activities.
  await knex.schema.createTable('WebhookActivities', (t) => {
    t.integer('WebhookId').notNullable().references('Id').inTable('Webhooks').onDelete('CASCADE');
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities');
    t.primary(['WebhookId', 'ActivityId'], { constraintName: 'PK_WebhookActivities' });
  });
  await knex.schema.createTable('EventCursors', (t) => {
    t.string('Name', 30).primary({ constraintName: 'PK_EventCursors' });
    t.timestamp('Time', time).notNullable();
  });
  await knex.schema.createTable('Deliveries', (t) => {
    t.bigIncrements('Id');
    // The same in every attempt: by it a receiver drops what it has had.
    t.string('DeliveryKey', 36).notNullable();
    t.string('Channel', 10).notNullable();
    t.string('Event', 30).notNullable();
    // What it tells of, such as a run; null of a trial.
    t.bigInteger('SubjectId');
    t.integer('WebhookId').references('Id').inTable('Webhooks').onDelete('CASCADE');
    // Of an alert: its firing, and the person whose mail it is.
    t.bigInteger('AlertFiringId');
    t.integer('UserId').references('UserId').inTable('Users');
    // Where else it goes.
    t.text('SealedTarget');
    // Deliveries to one target wait together where it cannot be reached.
    t.string('TargetKey', 100).notNullable();
    t.text('Body').notNullable();
    // Waiting, Delivered or GivenUp.
    t.string('Status', 10).notNullable();
    t.integer('Attempts').notNullable().defaultTo(0);
    t.timestamp('CreateTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('DueTime', time).notNullable().defaultTo(knex.fn.now());
    // Until when a server holds it that is sending it.
    t.timestamp('TakenUntil', time);
    t.timestamp('EndTime', time);
    t.index(['DueTime', 'Id'], 'IX_Deliveries_DueTime', { predicate: knex.whereRaw("?? = 'Waiting'", ['Status']) });
    t.index(['WebhookId', 'Id'], 'IX_Deliveries_WebhookId', { predicate: knex.whereNotNull('WebhookId') });
    t.index(['AlertFiringId'], 'IX_Deliveries_AlertFiringId', { predicate: knex.whereNotNull('AlertFiringId') });
    t.index(['EndTime'], 'IX_Deliveries_EndTime', { predicate: knex.whereNotNull('EndTime') });
    t.unique(['WebhookId', 'Event', 'SubjectId'], {
      indexName: 'UX_Deliveries_Subject',
      predicate: knex.whereNotNull('SubjectId'),
    });
  });
  await knex.schema.createTable('DeliveryAttempts', (t) => {
    t.bigIncrements('Id');
    t.bigInteger('DeliveryId').notNullable().references('Id').inTable('Deliveries').onDelete('CASCADE');
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
    t.integer('Milliseconds').notNullable();
    t.integer('StatusCode');
    t.string('Error', 500);
    t.string('Answer', 1000).notNullable();
    t.index(['DeliveryId', 'Id'], 'IX_DeliveryAttempts_DeliveryId');
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.index(['EndTime'], 'IX_ActivityRuns_EndTime', { predicate: knex.whereNotNull('EndTime') });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropIndex([], 'IX_ActivityRuns_EndTime');
  });
  for (const table of ['DeliveryAttempts', 'Deliveries', 'EventCursors', 'WebhookActivities', 'Webhooks'])
    await knex.schema.dropTable(table);
}
