/** Serves what the bell tells of a checklist or workflow by the first of its steps that did not simply succeed, however many steps it has. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.index(['ChecklistRunId', 'Id'], 'IX_ActivityRuns_StepsGoneWrong', {
      // Literals, because an index's definition takes no bound values.
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
