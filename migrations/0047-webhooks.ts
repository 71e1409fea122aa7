/**
 * Messages to other programs: webhooks, every delivery and each of its attempts, and cursors that record up to where
 * events were processed.
 */
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
    // The previous secret. After a new one was created, messages are also signed with the previous secret for some
    // time.
    t.text('SealedOldSecret');
    t.timestamp('OldSecretUntil', time);
    t.timestamp('CreateTime', time).notNullable().defaultTo(knex.fn.now());
  });
  // A webhook without rows applies to all activities.
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
    // The same in every attempt, so that a receiver can ignore duplicates.
    t.string('DeliveryKey', 36).notNullable();
    t.string('Channel', 10).notNullable();
    t.string('Event', 30).notNullable();
    // The subject of the message, such as a run; null for a test message.
    t.bigInteger('SubjectId');
    t.integer('WebhookId').references('Id').inTable('Webhooks').onDelete('CASCADE');
    // For an alert: its firing, and the user who receives the mail.
    t.bigInteger('AlertFiringId');
    t.integer('UserId').references('UserId').inTable('Users');
    // Address of the target, if it is not a webhook.
    t.text('SealedTarget');
    // If a target is unreachable, all its deliveries wait together.
    t.string('TargetKey', 100).notNullable();
    t.text('Body').notNullable();
    // Waiting, Delivered or GivenUp.
    t.string('Status', 10).notNullable();
    t.integer('Attempts').notNullable().defaultTo(0);
    t.timestamp('CreateTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('DueTime', time).notNullable().defaultTo(knex.fn.now());
    // Until this time, the delivery is reserved for the server that is sending it.
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
