/** How far the log of security actions has been sent on. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('SecurityLogTargets', (t) => {
    // The address of the setting: another one gets the log from its beginning.
    t.string('Target', 200).primary({ constraintName: 'PK_SecurityLogTargets' });
    t.integer('LastId').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('SecurityLogTargets');
}
