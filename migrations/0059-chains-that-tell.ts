/** Serves what the bell tells of a person's checklists and workflows that did not simply succeed. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    t.index(['UserId', 'Id'], 'IX_ChecklistRuns_Notable', {
      // Literals, because an index's definition takes no bound values.
      predicate: knex.whereRaw(
        "?? in ('SucceededWarn', 'Failed', 'Cancelled', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed')",
        ['Status'],
      ),
    });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    t.dropIndex([], 'IX_ChecklistRuns_Notable');
  });
}
