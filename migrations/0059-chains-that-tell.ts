/** An index for the notifications about a user's checklist and workflow runs that did not simply succeed. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    t.index(['UserId', 'Id'], 'IX_ChecklistRuns_Notable', {
      // Literals, because an index definition cannot contain bound values.
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
