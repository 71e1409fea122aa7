/** People who see what a run was given, but may not download its input files. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Users', (t) => {
    t.boolean('DisableInputDownload').notNullable().defaultTo(false);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Users', (t) => {
    t.dropColumn('DisableInputDownload');
  });
}
