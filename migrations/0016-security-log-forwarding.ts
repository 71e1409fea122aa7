/** How far the log of security actions has been forwarded. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('SecurityLogTargets', (t) => {
    // The configured target address. A new address receives the log from the beginning.
    t.string('Target', 200).primary({ constraintName: 'PK_SecurityLogTargets' });
    t.integer('LastId').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('SecurityLogTargets');
}
