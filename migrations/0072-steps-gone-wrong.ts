/**
 * An index for notifications about a checklist or workflow run, which show its first step that did not simply succeed,
 * regardless of the number of steps.
 */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.index(['ChecklistRunId', 'Id'], 'IX_ActivityRuns_StepsGoneWrong', {
      // Literals, because an index definition cannot contain bound values.
      predicate: knex.whereRaw(
        "?? in ('SucceededWarn', 'Failed', 'Cancelled', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed') and ?? is null and ?? is not null",
        ['Status', 'NotRunBecause', 'ChecklistRunId'],
      ),
    });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropIndex([], 'IX_ActivityRuns_StepsGoneWrong');
  });
}
