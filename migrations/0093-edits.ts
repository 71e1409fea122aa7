/** Who changed a record last, and how often it was changed: an edit of an earlier state is refused. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('Edits', (t) => {
    // What was changed: its table, and its id or name. No foreign key, so that the row outlives a deleted record.
    t.string('RecordTable', 40).notNullable();
    t.string('RecordKey', 100).notNullable();
    t.integer('Revision').notNullable();
    // Who made the last change; null if the user has been deleted. There is no row before the first change.
    t.integer('UserId').references('UserId').inTable('Users').onDelete('SET NULL');
    t.timestamp('Time', { useTz: true, precision: 3 }).notNullable().defaultTo(knex.fn.now());
    t.primary(['RecordTable', 'RecordKey'], { constraintName: 'PK_Edits' });
    t.index(['UserId'], 'IX_Edits_UserId');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('Edits');
}
