/**
 * Triggers, which start activities and checklists on an event: a file arrives, a run ends, a program calls, a query
 * result changes.
 */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('Triggers', (t) => {
    t.increments('Id');
    // Exactly one of these two is set.
    t.integer('ActivityId').references('Id').inTable('Activities');
    t.integer('ChecklistId').references('Id').inTable('Checklists');
    t.string('Name', 100).notNullable();
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.string('Kind', 10).notNullable();
    t.text('PlanText').notNullable();
    t.text('InputsText').notNullable();
    t.string('TimeZone', 64).notNullable();
    t.string('Overlap', 10).notNullable();
    // The activity or checklist whose runs must end.
    t.integer('SourceActivityId').references('Id').inTable('Activities');
    t.integer('SourceChecklistId').references('Id').inTable('Checklists');
    // For webhook triggers: key of the address that programs call, and the secret with which they sign.
    t.string('AddressKey', 64);
    t.text('SealedSecret');
    // For query triggers: time of the next query, and its last result.
    t.timestamp('NextTime', time);
    t.text('StateText');
    // Why the trigger cannot detect events at present.
    t.string('LookMessage', 400);
    // Earlier events are ignored.
    t.timestamp('SinceTime', time).notNullable().defaultTo(knex.fn.now());
    // Increases with each change, so that servers notice the change.
    t.integer('Revision').notNullable().defaultTo(0);
    t.timestamp('PausedTime', time);
    t.string('PausedReason', 400);
    t.index(['ActivityId'], 'IX_Triggers_ActivityId', { predicate: knex.whereNotNull('ActivityId') });
    t.index(['ChecklistId'], 'IX_Triggers_ChecklistId', { predicate: knex.whereNotNull('ChecklistId') });
    t.index(['SourceActivityId'], 'IX_Triggers_SourceActivityId', { predicate: knex.whereNotNull('SourceActivityId') });
    t.index(['SourceChecklistId'], 'IX_Triggers_SourceChecklistId', {
      predicate: knex.whereNotNull('SourceChecklistId'),
    });
    t.index(['NextTime'], 'IX_Triggers_NextTime', { predicate: knex.whereNotNull('NextTime') });
    t.index(['UserId'], 'IX_Triggers_UserId');
    t.unique(['AddressKey'], { indexName: 'UX_Triggers_AddressKey', predicate: knex.whereNotNull('AddressKey') });
  });
  await knex.schema.createTable('TriggerEvents', (t) => {
    t.bigIncrements('Id');
    t.integer('TriggerId').notNullable().references('Id').inTable('Triggers').onDelete('CASCADE');
    // Ensures that each event is handled only once.
    t.string('Subject', 100).notNullable();
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
    t.string('Outcome', 10).notNullable();
    t.string('Message', 1000).notNullable();
    // Input values that came with the event: JSON.
    t.text('GivenText').notNullable();
    t.string('FileName', 255);
    t.string('Sha256', 64);
    // How many triggers caused each other before this event.
    t.integer('Depth').notNullable();
    // These runs may have been purged.
    t.bigInteger('ActivityRunId');
    t.bigInteger('ChecklistRunId');
    t.unique(['TriggerId', 'Subject'], { indexName: 'UX_TriggerEvents_Subject', useConstraint: true });
    t.index(['TriggerId', 'Id'], 'IX_TriggerEvents_TriggerId');
    t.index(['Id'], 'IX_TriggerEvents_Waiting', { predicate: knex.whereRaw("?? = 'Waiting'", ['Outcome']) });
    t.index(['ActivityRunId'], 'IX_TriggerEvents_ActivityRunId', { predicate: knex.whereNotNull('ActivityRunId') });
    t.index(['ChecklistRunId'], 'IX_TriggerEvents_ChecklistRunId', { predicate: knex.whereNotNull('ChecklistRunId') });
    t.index(['Time'], 'IX_TriggerEvents_Time');
  });
  await knex.schema.createTable('TriggerFiles', (t) => {
    t.integer('TriggerId').notNullable().references('Id').inTable('Triggers').onDelete('CASCADE');
    // Hash of the file name.
    t.string('FileKey', 64).notNullable();
    // Hash of the content; empty for files that existed before the trigger.
    t.string('Sha256', 64).notNullable();
    t.bigInteger('Size').notNullable();
    // Milliseconds since 1970.
    t.bigInteger('Modified').notNullable();
    t.primary(['TriggerId', 'FileKey', 'Sha256'], { constraintName: 'PK_TriggerFiles' });
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['TriggerFiles', 'TriggerEvents', 'Triggers']) await knex.schema.dropTable(table);
}
