/** An index of failed runs: searches by error and groups by reason read these few among millions. */
import type { Knex } from 'knex';

const FAILED = 'IX_ActivityRuns_Failed';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.index(['Id'], FAILED, {
      // Literals, because an index definition cannot contain bound values.
      predicate: knex.whereRaw("?? in ('Failed', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed')", [
        'Status',
      ]),
    });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => t.dropIndex([], FAILED));
}
