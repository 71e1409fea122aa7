/**
 * Sort criteria for an activity's history: duration, outcome and version of runs. Also saved searches of a history and
 * saved values of a form.
 */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

/**
 * Computed and stored by the database, so that no writer can forget it: milliseconds from start (or queueing) to end.
 */
function durationColumn(isSqlServer: boolean): string {
  return isSqlServer
    ? 'as case when [EndTime] is not null then datediff_big(millisecond, coalesce([StartTime], [QueueTime]), [EndTime]) end persisted'
    : `bigint generated always as ((extract(epoch from ("EndTime" - coalesce("StartTime", "QueueTime"))) * 1000)::bigint) stored`;
}

export async function up(knex: Knex): Promise<void> {
  const isSqlServer = (knex.client as { dialect: string }).dialect === 'mssql';
  await knex.raw(`alter table ?? add ?? ${durationColumn(isSqlServer)}`, ['ActivityRuns', 'DurationMs']);
  await knex.schema.alterTable('ActivityRuns', (t) => {
    // SQL Server does not allow computed columns in the condition of an index.
    const ended = isSqlServer ? undefined : { predicate: knex.whereNotNull('DurationMs') };
    t.index(['ActivityId', 'DurationMs', 'Id'], 'IX_ActivityRuns_DurationMs', ended);
    t.index(['ActivityId', 'Status', 'Id'], 'IX_ActivityRuns_ActivityId_Status');
    t.index(['ActivityId', 'ActivityVersion', 'Id'], 'IX_ActivityRuns_ActivityVersion');
  });
  await knex.schema.createTable('SavedSearches', (t) => {
    t.increments('Id');
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    // Null for searches of the history of all activities.
    t.integer('ActivityId').references('Id').inTable('Activities').onDelete('CASCADE');
    t.string('Name', 60).notNullable();
    t.text('Search').notNullable();
    t.index(['UserId', 'ActivityId'], 'IX_SavedSearches_UserId');
    t.index(['ActivityId'], 'IX_SavedSearches_ActivityId');
  });
  await knex.schema.createTable('InputSets', (t) => {
    t.increments('Id');
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities').onDelete('CASCADE');
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.string('Name', 60).notNullable();
    t.boolean('IsShared').notNullable().defaultTo(false);
    t.timestamp('ModifiedTime', time).notNullable().defaultTo(knex.fn.now());
    t.text('Inputs').notNullable();
    t.index(['ActivityId', 'UserId'], 'IX_InputSets_ActivityId');
    t.index(['UserId'], 'IX_InputSets_UserId');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('InputSets');
  await knex.schema.dropTable('SavedSearches');
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropIndex([], 'IX_ActivityRuns_ActivityVersion');
    t.dropIndex([], 'IX_ActivityRuns_ActivityId_Status');
    t.dropIndex([], 'IX_ActivityRuns_DurationMs');
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropColumn('DurationMs');
  });
}
