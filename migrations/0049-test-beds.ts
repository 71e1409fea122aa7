/** Test cases that versions of an activity must pass before publication, and versions that failed them. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('TestBeds', (t) => {
    t.integer('ActivityId')
      .primary({ constraintName: 'PK_TestBeds' })
      .references('Id')
      .inTable('Activities')
      .onDelete('CASCADE');
    // True if a version with failed cases is not published.
    t.boolean('MustPass').notNullable().defaultTo(false);
    // Property checks: JSON.
    t.text('Checks').notNullable();
  });
  await knex.schema.createTable('TestCases', (t) => {
    t.increments('Id');
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities').onDelete('CASCADE');
    t.string('Name', 100).notNullable();
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    // Expected outcome of the calculation.
    t.string('Status', 20).notNullable();
    // Values by the names of inputs and outputs: JSON.
    t.text('Inputs').notNullable();
    t.text('Expected').notNullable();
    t.timestamp('ModifiedTime', time).notNullable().defaultTo(knex.fn.now());
    // Result of the last replay: JSON. Null before the first.
    t.text('Result');
    t.timestamp('ResultTime', time);
    t.index(['ActivityId', 'Id'], 'IX_TestCases_ActivityId');
  });
  await knex.schema.createTable('RefusedVersions', (t) => {
    t.increments('Id');
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities').onDelete('CASCADE');
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
    t.string('FileId', 43).notNullable().references('FileId').inTable('StoredFiles');
    // The fields of the upload, and the results of its cases: JSON.
    t.text('Fields').notNullable();
    t.text('Report').notNullable();
    t.index(['ActivityId', 'Id'], 'IX_RefusedVersions_ActivityId');
    t.index(['FileId'], 'IX_RefusedVersions_FileId');
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['RefusedVersions', 'TestCases', 'TestBeds']) await knex.schema.dropTable(table);
}
