/** Requests for access, notices about granted and shared activities, and limits of public links. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('AccessRequests', (t) => {
    t.increments('Id');
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    // What the person asked for, whether it exists or not: 'Activity' or 'Run', and its id.
    t.string('ObjectKind', 10).notNullable();
    t.bigInteger('ObjectId').notNullable();
    // The activity that the request is about. Null if there is no such object; then nobody sees the request.
    t.integer('ActivityId').references('Id').inTable('Activities');
    t.string('Message', 500).notNullable();
    // Open, Granted or Declined.
    t.string('Status', 10).notNullable();
    t.timestamp('CreateTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('DecideTime', time);
    t.index(['UserId', 'CreateTime'], 'IX_AccessRequests_UserId');
    t.index(['CreateTime'], 'IX_AccessRequests_CreateTime');
    t.index(['ActivityId', 'Id'], 'IX_AccessRequests_Open', { predicate: knex.whereRaw("?? = 'Open'", ['Status']) });
  });
  await knex.schema.createTable('AccessNotices', (t) => {
    t.increments('Id');
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    // Shared or Granted.
    t.string('Kind', 10).notNullable();
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities');
    // The run that the person asked for. No foreign key: the notice remains when the run is purged.
    t.bigInteger('ActivityRunId');
    // The name at the time of the notice: it outlives the person.
    t.string('ByName', 160).notNullable();
    t.string('Message', 500).notNullable();
    t.timestamp('CreateTime', time).notNullable().defaultTo(knex.fn.now());
    t.index(['UserId', 'Id'], 'IX_AccessNotices_UserId');
    t.index(['CreateTime'], 'IX_AccessNotices_CreateTime');
  });
  // The link itself is the internet's grant of sk.RunActivity on the activity; a link without a row has no limit.
  await knex.schema.createTable('PublicLinks', (t) => {
    t.integer('ActivityId').primary({ constraintName: 'PK_PublicLinks' }).references('Id').inTable('Activities');
    t.timestamp('ExpiryTime', time);
    t.integer('MaxRuns');
    t.integer('RunCount').notNullable().defaultTo(0);
    t.timestamp('CreateTime', time).notNullable().defaultTo(knex.fn.now());
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['PublicLinks', 'AccessNotices', 'AccessRequests']) await knex.schema.dropTable(table);
}
