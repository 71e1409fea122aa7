/** API keys, rights that workbooks name, deleted users, and the hash-chained log of security actions. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Users', (t) => {
    // A user who has run something is only marked as deleted, so that the runs still show the user's name.
    t.timestamp('DeletedTime', time);
  });
  await knex.schema.createTable('ApiKeys', (t) => {
    // The part of a key that may be shown.
    t.string('KeyId', 20).primary({ constraintName: 'PK_ApiKeys' });
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.string('KeyHash', 43).notNullable();
    t.string('Name', 60).notNullable().defaultTo('');
    t.timestamp('CreationTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('ExpiryTime', time);
    t.timestamp('LastUsedTime', time);
    t.index(['UserId'], 'IX_ApiKeys_UserId');
  });
  // Rights that workbooks require, in addition to those that the program knows.
  await knex.schema.createTable('Rights', (t) => {
    t.string('Name', 60).primary({ constraintName: 'PK_Rights' });
    t.string('Description', 200).notNullable().defaultTo('');
  });
  await knex.schema.createTable('SecurityActions', (t) => {
    // The program numbers the rows without gaps, so that a removed row is detected.
    t.bigInteger('Id').primary({ constraintName: 'PK_SecurityActions' });
    t.timestamp('Time', time).notNullable();
    // Names at the time of the action, without foreign keys: the log outlives the users it mentions.
    t.integer('UserId').notNullable();
    t.string('UserName', 50).notNullable();
    t.string('UserFullName', 160).notNullable();
    t.string('Action', 30).notNullable();
    t.string('TargetUserName', 50).notNullable();
    t.string('TargetRole', 50).notNullable();
    t.string('RightName', 60).notNullable();
    t.string('KeyColumnName', 60).notNullable();
    t.string('KeyColumnValue', 100).notNullable();
    t.string('Address', 64).notNullable();
    t.string('PreviousHash', 64).notNullable();
    t.string('Hash', 64).notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['SecurityActions', 'Rights', 'ApiKeys']) await knex.schema.dropTable(table);
  await knex.schema.alterTable('Users', (t) => t.dropColumn('DeletedTime'));
}
