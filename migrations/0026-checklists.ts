/** Checklists, the workflows made from them, their runs, and the state of each step of such a run. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;
const STEP_KEY = 40;
const ROW_KEY = 200;
// Literals, because an index definition cannot contain bound values.
const PENDING = "?? in ('Queued', 'QueuedInSeq', 'PickedUp', 'Started')";

async function createChecklists(knex: Knex): Promise<void> {
  await knex.schema.createTable('Checklists', (t) => {
    t.increments('Id');
    t.string('Name', 100).notNullable();
    t.string('Description', 250).notNullable().defaultTo('');
    t.string('Schema', 30).notNullable().references('Name').inTable('Schemas');
    t.string('Group', 30).notNullable().defaultTo('');
    t.integer('Order');
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    // Id of the form that created it, so that a form submitted twice creates only one.
    t.string('UniqueId', 64);
    // Increases with every save, so that a form detects changes by other users.
    t.integer('Revision').notNullable().defaultTo(1);
    // The newest version of the workflow; null if the checklist was never edited as a workflow.
    t.integer('WorkflowVersion');
    t.timestamp('Modified', time).notNullable().defaultTo(knex.fn.now());
    t.index(['Schema'], 'IX_Checklists_Schema');
    t.unique(['UserId', 'UniqueId'], {
      indexName: 'UX_Checklists_UniqueId',
      predicate: knex.whereNotNull('UniqueId'),
    });
  });
  await knex.schema.createTable('ChecklistActivities', (t) => {
    t.integer('ChecklistId').notNullable().references('Id').inTable('Checklists').onDelete('CASCADE');
    // Position in the order of execution, from 0.
    t.integer('Position').notNullable();
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities');
    t.primary(['ChecklistId', 'Position'], { constraintName: 'PK_ChecklistActivities' });
    t.index(['ActivityId'], 'IX_ChecklistActivities_ActivityId');
  });
  // Inputs of activities with the names under which users enter them. Inputs with the same name receive the same value.
  await knex.schema.createTable('ChecklistInputs', (t) => {
    t.integer('ChecklistId').notNullable().references('Id').inTable('Checklists').onDelete('CASCADE');
    t.integer('ActivityParameterId').notNullable().references('Id').inTable('ActivityParameters');
    t.string('InputName', 30).notNullable();
    t.integer('Order').notNullable().defaultTo(0);
    t.primary(['ChecklistId', 'ActivityParameterId'], { constraintName: 'PK_ChecklistInputs' });
    t.index(['ActivityParameterId'], 'IX_ChecklistInputs_ActivityParameterId');
  });
  // A checklist that was edited as a workflow remains one. Each save creates a version, which never changes.
  await knex.schema.createTable('WorkflowVersions', (t) => {
    t.integer('ChecklistId').notNullable().references('Id').inTable('Checklists');
    t.integer('Version').notNullable();
    // Inputs and steps (ChainGraph): JSON.
    t.text('Graph').notNullable();
    t.string('ChangeDescription', 1000).notNullable().defaultTo('');
    t.timestamp('Modified', time).notNullable().defaultTo(knex.fn.now());
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.primary(['ChecklistId', 'Version'], { constraintName: 'PK_WorkflowVersions' });
  });
}

async function createChecklistRuns(knex: Knex): Promise<void> {
  // What runs were started with: the graph and the version of every activity in it. Runs with identical plans share one
  // row.
  await knex.schema.createTable('ChecklistPlans', (t) => {
    t.increments('Id');
    // SHA-256 of the plan, base64url.
    t.string('Hash', 43).notNullable();
    t.text('Plan').notNullable();
    t.unique(['Hash'], { indexName: 'UX_ChecklistPlans_Hash', useConstraint: true });
  });
  await knex.schema.createTable('ChecklistRuns', (t) => {
    t.bigIncrements('Id');
    t.integer('ChecklistId').notNullable().references('Id').inTable('Checklists');
    // Null for a checklist that was not edited as a workflow.
    t.integer('WorkflowVersion');
    t.integer('PlanId').notNullable().references('Id').inTable('ChecklistPlans');
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.string('UniqueId', 64);
    t.string('Status', 20).notNullable();
    t.timestamp('QueueTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('EndTime', time);
    t.timestamp('CancelTime', time);
    // The run whose succeeded steps this run reuses. No foreign key, so that the value remains when that run is
    // deleted.
    t.bigInteger('ResumeOf');
    // The entered values: JSON.
    t.text('Inputs').notNullable();
    t.foreign(['ChecklistId', 'WorkflowVersion'], 'FK_ChecklistRuns_Version')
      .references(['ChecklistId', 'Version'])
      .inTable('WorkflowVersions');
    t.index(['ChecklistId', 'Id'], 'IX_ChecklistRuns_ChecklistId');
    t.index(['UserId', 'ChecklistId', 'Id'], 'IX_ChecklistRuns_UserId_ChecklistId');
    t.index(['PlanId'], 'IX_ChecklistRuns_PlanId');
    t.index(['ResumeOf'], 'IX_ChecklistRuns_ResumeOf', { predicate: knex.whereNotNull('ResumeOf') });
    t.index(['QueueTime', 'Id'], 'IX_ChecklistRuns_QueueTime');
    t.index(['Status', 'Id'], 'IX_ChecklistRuns_Pending', { predicate: knex.whereRaw(PENDING, ['Status']) });
    t.unique(['UserId', 'UniqueId'], {
      indexName: 'UX_ChecklistRuns_UniqueId',
      predicate: knex.whereNotNull('UniqueId'),
    });
  });
  await knex.schema.createTable('ChecklistRunLogEntries', (t) => {
    t.bigIncrements('Id');
    t.bigInteger('ChecklistRunId').notNullable().references('Id').inTable('ChecklistRuns').onDelete('CASCADE');
    // Null for entries about the run as a whole.
    t.string('StepKey', STEP_KEY);
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
    t.integer('StatusCode').notNullable();
    t.smallint('Category').notNullable();
    t.text('Message').notNullable();
    t.index(['ChecklistRunId', 'Id'], 'IX_ChecklistRunLogEntries_ChecklistRunId');
  });
}

async function createSteps(knex: Knex): Promise<void> {
  // Steps that are not runs of an activity: For each, Decision, Approval. Activity steps are rows of ActivityRuns.
  await knex.schema.createTable('ChecklistRunSteps', (t) => {
    t.bigInteger('ChecklistRunId').notNullable().references('Id').inTable('ChecklistRuns').onDelete('CASCADE');
    t.string('StepKey', STEP_KEY).notNullable();
    t.string('Kind', 20).notNullable();
    t.string('Status', 20).notNullable();
    // Same meaning as in ActivityRuns.
    t.string('NotRunBecause', 20);
    // For a Decision: true or false.
    t.boolean('Holds');
    t.timestamp('StartTime', time);
    t.timestamp('EndTime', time);
    // For an Approval: when it expires, when a reminder is due, and when the reminder was sent.
    t.timestamp('ExpiryTime', time);
    t.timestamp('RemindTime', time);
    t.timestamp('RemindedTime', time);
    // The run whose step this step reuses.
    t.bigInteger('KeptOf');
    t.primary(['ChecklistRunId', 'StepKey'], { constraintName: 'PK_ChecklistRunSteps' });
    t.index(['Kind', 'ChecklistRunId', 'StepKey'], 'IX_ChecklistRunSteps_Started', {
      predicate: knex.whereRaw("?? = 'Started'", ['Status']),
    });
  });
  await knex.schema.createTable('ChecklistApprovals', (t) => {
    t.bigIncrements('Id');
    t.bigInteger('ChecklistRunId').notNullable();
    t.string('StepKey', STEP_KEY).notNullable();
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.boolean('Approved').notNullable();
    t.string('Comment', 1000).notNullable().defaultTo('');
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
    t.foreign(['ChecklistRunId', 'StepKey'], 'FK_ChecklistApprovals_Step')
      .references(['ChecklistRunId', 'StepKey'])
      .inTable('ChecklistRunSteps')
      .onDelete('CASCADE');
    t.unique(['ChecklistRunId', 'StepKey', 'UserId'], { indexName: 'UX_ChecklistApprovals', useConstraint: true });
  });
}

async function addToRuns(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.bigInteger('ChecklistRunId').references('Id').inTable('ChecklistRuns');
    t.string('StepKey', STEP_KEY);
    // The row of a For each, or of the table that started child runs.
    t.string('RowKey', ROW_KEY).notNullable().defaultTo('');
    t.integer('Attempt').notNullable().defaultTo(1);
    // The run whose Start step started this run. No foreign key, because it would refer to the same table.
    t.bigInteger('ParentRunId');
    // True if the run waits for preceding steps, or for a free slot among the rows of its step. False if it only waits
    // for another run of its activity.
    t.boolean('WaitsForSteps').notNullable().defaultTo(false);
    // Why preceding steps caused it to be skipped. Null if it ran, is going to run, or was stopped by a user.
    t.string('NotRunBecause', 20);
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.unique(['ChecklistRunId', 'StepKey', 'RowKey', 'Attempt'], {
      indexName: 'UX_ActivityRuns_Step',
      predicate: knex.whereNotNull('ChecklistRunId'),
    });
    t.unique(['ParentRunId', 'RowKey', 'Attempt'], {
      indexName: 'UX_ActivityRuns_Child',
      predicate: knex.whereNotNull('ParentRunId'),
    });
    // For the counts of a step's rows by status, the next rows to start, and a page of the failed ones.
    t.index(['ChecklistRunId', 'StepKey', 'Status', 'Id'], 'IX_ActivityRuns_Step', {
      predicate: knex.whereNotNull('ChecklistRunId'),
    });
    t.index(['ParentRunId', 'Status'], 'IX_ActivityRuns_ParentRunId', {
      predicate: knex.whereNotNull('ParentRunId'),
    });
  });
  // Runs that a resumed run reuses from the run that it continues.
  await knex.schema.createTable('ChecklistKeptRuns', (t) => {
    t.bigInteger('ChecklistRunId').notNullable().references('Id').inTable('ChecklistRuns').onDelete('CASCADE');
    t.string('StepKey', STEP_KEY).notNullable();
    t.string('RowKey', ROW_KEY).notNullable().defaultTo('');
    t.bigInteger('ActivityRunId').notNullable().references('Id').inTable('ActivityRuns');
    t.primary(['ChecklistRunId', 'StepKey', 'RowKey'], { constraintName: 'PK_ChecklistKeptRuns' });
    t.index(['ActivityRunId'], 'IX_ChecklistKeptRuns_ActivityRunId');
  });
}

export async function up(knex: Knex): Promise<void> {
  await createChecklists(knex);
  await createChecklistRuns(knex);
  await createSteps(knex);
  await addToRuns(knex);
}

const INDEXES = [
  'UX_ActivityRuns_Step',
  'UX_ActivityRuns_Child',
  'IX_ActivityRuns_Step',
  'IX_ActivityRuns_ParentRunId',
];
const TABLES = [
  'ChecklistApprovals',
  'ChecklistRunSteps',
  'ChecklistRunLogEntries',
  'ChecklistRuns',
  'ChecklistPlans',
  'WorkflowVersions',
  'ChecklistInputs',
  'ChecklistActivities',
  'Checklists',
];

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('ChecklistKeptRuns');
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropForeign(['ChecklistRunId']);
    for (const name of INDEXES) t.dropIndex([], name);
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropColumns('ChecklistRunId', 'StepKey', 'RowKey', 'Attempt', 'ParentRunId', 'WaitsForSteps', 'NotRunBecause');
  });
  for (const table of TABLES) await knex.schema.dropTable(table);
}
