/** The trace that a run belongs to, for the worker that continues it. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    // As the header of the W3C has it (Trace Context, section 3.2); null where traces are off.
    t.string('TraceParent', 55);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => t.dropColumns('TraceParent'));
}
