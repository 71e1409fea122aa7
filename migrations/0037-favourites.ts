/**
 * Favourites: activities and checklists that users pin to the top of their lists. Also indexes for the activities that
 * a user has published.
 */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('ActivityFavourites', (t) => {
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities').onDelete('CASCADE');
    t.primary(['UserId', 'ActivityId'], { constraintName: 'PK_ActivityFavourites' });
    t.index(['ActivityId'], 'IX_ActivityFavourites_ActivityId');
  });
  await knex.schema.createTable('ChecklistFavourites', (t) => {
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.integer('ChecklistId').notNullable().references('Id').inTable('Checklists').onDelete('CASCADE');
    t.primary(['UserId', 'ChecklistId'], { constraintName: 'PK_ChecklistFavourites' });
    t.index(['ChecklistId'], 'IX_ChecklistFavourites_ChecklistId');
  });
  await knex.schema.alterTable('ActivityVersions', (t) => {
    t.index(['UserId', 'ActivityId'], 'IX_ActivityVersions_UserId');
  });
  await knex.schema.alterTable('Checklists', (t) => {
    t.index(['UserId'], 'IX_Checklists_UserId');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Checklists', (t) => {
    t.dropIndex([], 'IX_Checklists_UserId');
  });
  await knex.schema.alterTable('ActivityVersions', (t) => {
    t.dropIndex([], 'IX_ActivityVersions_UserId');
  });
  await knex.schema.dropTable('ChecklistFavourites');
  await knex.schema.dropTable('ActivityFavourites');
}
