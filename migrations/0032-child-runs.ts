/** Runs that a Start step of a workbook starts, one for each row of its table. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;
const STEP_KEY = 40;

const CHILD = 'UX_ActivityRuns_Child';
const PARENT = 'IX_ActivityRuns_ParentRunId';

async function replaceIndexes(knex: Knex, unique: string[], counted: string[]): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropIndex([], CHILD);
    t.dropIndex([], PARENT);
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.unique(unique, { indexName: CHILD, predicate: knex.whereNotNull('ParentRunId') });
    t.index(counted, PARENT, { predicate: knex.whereNotNull('ParentRunId') });
  });
}

export async function up(knex: Knex): Promise<void> {
  // A workbook may have several such steps, and their rows may have the same names.
  await replaceIndexes(
    knex,
    ['ParentRunId', 'StepKey', 'RowKey', 'Attempt'],
    ['ParentRunId', 'StepKey', 'Status', 'Id'],
  );
  await knex.schema.createTable('RunStarts', (t) => {
    t.bigInteger('ParentRunId').notNullable().references('Id').inTable('ActivityRuns').onDelete('CASCADE');
    // Position of the step among those that start runs, from 1.
    t.string('StepKey', STEP_KEY).notNullable();
    t.string('StepName', 255).notNullable();
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities');
    t.integer('ActivityVersion').notNullable();
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    // The run that a user or a schedule started, from which this run descends; the run itself if it has no ancestor.
    t.bigInteger('RootRunId').notNullable();
    t.integer('RowCount').notNullable();
    // The rows: JSON. Null when a run exists for each.
    t.text('Rows');
    t.integer('AtOnce').notNullable();
    t.integer('StopAfterFailures');
    // Null while rows are waiting or running.
    t.timestamp('EndTime', time);
    t.primary(['ParentRunId', 'StepKey'], { constraintName: 'PK_RunStarts' });
    t.index(['RootRunId'], 'IX_RunStarts_RootRunId');
    t.index(['ActivityId'], 'IX_RunStarts_ActivityId');
    t.index(['EndTime', 'ParentRunId'], 'IX_RunStarts_Pending', { predicate: knex.whereNull('EndTime') });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('RunStarts');
  await replaceIndexes(knex, ['ParentRunId', 'RowKey', 'Attempt'], ['ParentRunId', 'Status']);
}
