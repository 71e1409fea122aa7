/** The trace to which a run belongs, for the worker that continues it. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    // Value of the W3C header (Trace Context, section 3.2); null if tracing is off.
    t.string('TraceParent', 55);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => t.dropColumns('TraceParent'));
}
