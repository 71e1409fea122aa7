/** What people keep of table views for themselves: filters, order and columns by a name. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('OwnTableViews', (t) => {
    t.increments('Id');
    t.integer('TableViewId').notNullable().references('Id').inTable('TableViews').onDelete('CASCADE');
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.string('Name', 60).notNullable();
    // The name in small letters, so that two that differ by case alone are one on every database.
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
