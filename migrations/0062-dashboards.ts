/** Dashboards, with whom they are shared, their public links, and the start pages of users and roles. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('Dashboards', (t) => {
    t.increments('Id');
    t.string('Name', 60).notNullable();
    // The name in lower case, by which lists are sorted.
    t.string('NameKey', 60).notNullable();
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    // The tiles: JSON.
    t.text('Tiles').notNullable();
    // Increases with every change, so that nobody overwrites changes they have not seen.
    t.integer('Revision').notNullable();
    t.timestamp('ModifiedTime', time).notNullable().defaultTo(knex.fn.now());
    // SHA-256 of the token of its public link, base64url; null if there is no link.
    t.string('PublicTokenHash', 43);
    // The user who created the link. It shows what this user may see.
    t.integer('PublicUserId').references('UserId').inTable('Users');
    t.timestamp('PublicTime', time);
    // Null for a link that does not expire.
    t.timestamp('PublicExpiryTime', time);
    t.unique(['PublicTokenHash'], {
      indexName: 'UX_Dashboards_PublicTokenHash',
      predicate: knex.whereNotNull('PublicTokenHash'),
    });
    t.index(['UserId'], 'IX_Dashboards_UserId');
    t.index(['NameKey', 'Id'], 'IX_Dashboards_NameKey');
  });
  await knex.schema.createTable('DashboardShares', (t) => {
    t.increments('Id');
    t.integer('DashboardId').notNullable().references('Id').inTable('Dashboards').onDelete('CASCADE');
    // Exactly one of the two is set.
    t.string('RoleName', 50).references('Name').inTable('Roles').onDelete('CASCADE');
    t.integer('UserId').references('UserId').inTable('Users');
    t.boolean('CanEdit').notNullable();
    t.index(['DashboardId'], 'IX_DashboardShares_DashboardId');
    t.index(['RoleName', 'DashboardId'], 'IX_DashboardShares_RoleName');
    t.index(['UserId', 'DashboardId'], 'IX_DashboardShares_UserId');
  });
  await knex.schema.createTable('StartPages', (t) => {
    t.increments('Id');
    // Exactly one of the two is set: the role or the user whose start page the dashboard is.
    t.string('RoleName', 50).references('Name').inTable('Roles').onDelete('CASCADE');
    t.integer('UserId').references('UserId').inTable('Users');
    t.integer('DashboardId').notNullable().references('Id').inTable('Dashboards').onDelete('CASCADE');
    t.unique(['RoleName'], { indexName: 'UX_StartPages_RoleName', predicate: knex.whereNotNull('RoleName') });
    t.unique(['UserId'], { indexName: 'UX_StartPages_UserId', predicate: knex.whereNotNull('UserId') });
    t.index(['DashboardId'], 'IX_StartPages_DashboardId');
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['StartPages', 'DashboardShares', 'Dashboards']) await knex.schema.dropTable(table);
}
