/** Personal settings of table views: filters, order and columns, saved under a name. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('OwnTableViews', (t) => {
    t.increments('Id');
    t.integer('TableViewId').notNullable().references('Id').inTable('TableViews').onDelete('CASCADE');
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.string('Name', 60).notNullable();
    // The name in lower case, so that names that differ only by case are equal on every database.
    t.string('NameKey', 60).notNullable();
    // ViewChoice: JSON.
    t.text('Choice').notNullable();
    t.unique(['TableViewId', 'UserId', 'NameKey'], { indexName: 'UX_OwnTableViews', useConstraint: true });
    t.index(['UserId'], 'IX_OwnTableViews_UserId');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('OwnTableViews');
}
