/** Table views: which columns of a table behind a named connection are shown, and how. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('TableViews', (t) => {
    t.increments('Id');
    t.string('ConnectionName', 60).notNullable();
    // 'schema.table' in the spelling of the catalog: 128 characters each on SQL Server.
    t.string('TableName', 257).notNullable();
    t.string('ViewName', 30).notNullable();
    // The columns: JSON.
    t.text('ViewInfo').notNullable();
    t.unique(['ConnectionName', 'TableName', 'ViewName'], { indexName: 'UX_TableViews', useConstraint: true });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('TableViews');
}
