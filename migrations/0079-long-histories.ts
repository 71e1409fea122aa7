/**
 * Indexes for portals with a million runs: for notifications, for the list of purgeable runs, and for deleting files.
 */
import type { Knex } from 'knex';

const NOTABLE = 'IX_ActivityRuns_Notable';

/** Literals, because an index definition cannot contain bound values. */
const notable = (knex: Knex) => ({
  predicate: knex.whereRaw(
    "?? in ('SucceededWarn', 'Failed', 'Cancelled', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed')",
    ['Status'],
  ),
});

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => t.dropIndex([], NOTABLE));
  await knex.schema.alterTable('ActivityRuns', (t) => {
    // Includes the time, so that old runs of a user are skipped within the index.
    t.index(['UserId', 'Id', 'QueueTime'], NOTABLE, notable(knex));
    t.index(['ActivityId', 'QueueTime'], 'IX_ActivityRuns_Purgeable', {
      predicate: knex.whereNotNull('EndTime').whereNull('ChecklistRunId'),
    });
  });
  await knex.schema.alterTable('ActivityVersions', (t) => {
    // The database checks this foreign key for each deleted file. Without an index, it would read all versions.
    t.index(['FileId'], 'IX_ActivityVersions_FileId', { predicate: knex.whereNotNull('FileId') });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityVersions', (t) => t.dropIndex([], 'IX_ActivityVersions_FileId'));
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropIndex([], 'IX_ActivityRuns_Purgeable');
    t.dropIndex([], NOTABLE);
  });
  await knex.schema.alterTable('ActivityRuns', (t) => t.index(['UserId', 'Id'], NOTABLE, notable(knex)));
}
