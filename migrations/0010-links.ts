/**
 * Links, through which outputs of a run become inputs of another activity, and the runs that were started through a
 * link.
 */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('ActivityLinks', (t) => {
    t.increments('Id');
    t.string('Name', 60).notNullable();
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities');
    t.integer('LinkedActivityId').notNullable().references('Id').inTable('Activities');
    // Which output becomes which input, and who may change it then: JSON.
    t.text('LinkInfo').notNullable();
    t.index(['ActivityId'], 'IX_ActivityLinks_ActivityId');
    t.index(['LinkedActivityId'], 'IX_ActivityLinks_LinkedActivityId');
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    // No foreign keys: a run does not change when its link or its source run is deleted.
    t.integer('ActivityLinkId');
    t.bigInteger('SourceRunId');
    t.index(['ActivityLinkId', 'Id'], 'IX_ActivityRuns_ActivityLinkId', {
      predicate: knex.whereNotNull('ActivityLinkId'),
    });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropIndex([], 'IX_ActivityRuns_ActivityLinkId');
    t.dropColumns('ActivityLinkId', 'SourceRunId');
  });
  await knex.schema.dropTable('ActivityLinks');
}
