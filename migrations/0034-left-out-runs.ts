/** Checklist runs that a schedule skipped are stored among the runs, but do not count as anybody's last run. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ChecklistRuns', (t) => {
    t.boolean('IsLeftOut').notNullable().defaultTo(false);
  });
  const said = knex('ChecklistRunLogEntries as E')
    .select(knex.raw('1'))
    .whereRaw('?? = ??', ['E.ChecklistRunId', 'ChecklistRuns.Id'])
    .where('E.Message', 'like', 'Left out: run %, which the schedule started before, had not ended');
  await knex('ChecklistRuns').where('Status', 'Cancelled').whereExists(said).update({ IsLeftOut: true });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ChecklistRuns', (t) => t.dropColumns('IsLeftOut'));
}
