/** Sheets whose rows become runs. They are checked when they are uploaded, and started once. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('Batches', (t) => {
    t.increments('Id');
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities');
    t.integer('ActivityVersion').notNullable();
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
    t.string('FileName', 255).notNullable();
    t.integer('RowCount').notNullable();
    t.integer('BadCount').notNullable();
    // Columns, rows and the problems found in them: JSON.
    t.text('Content').notNullable();
    // The run to which the rows belong; null until it is started.
    t.bigInteger('RunId').references('Id').inTable('ActivityRuns').onDelete('CASCADE');
    t.index(['ActivityId', 'Id'], 'IX_Batches_ActivityId');
    t.index(['Time', 'Id'], 'IX_Batches_Unstarted', { predicate: knex.whereNull('RunId') });
    t.unique(['RunId'], { indexName: 'UX_Batches_RunId', predicate: knex.whereNotNull('RunId') });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('Batches');
}
