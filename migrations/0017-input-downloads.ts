/** Users who may see the inputs of a run, but may not download its input files. */
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
