/** The processes of an installation. Each updates its own row with a heartbeat every few seconds. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('Servers', (t) => {
    // A new random Id at each start.
    t.string('ServerId', 36).primary({ constraintName: 'PK_Servers' });
    t.string('Name', 100).notNullable();
    t.string('Version', 40).notNullable();
    t.string('Role', 10).notNullable();
    t.timestamp('StartedTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('LastTime', time).notNullable().defaultTo(knex.fn.now());
    t.boolean('IsDraining').notNullable();
    t.integer('Threads').notNullable();
    t.integer('BusyThreads').notNullable();
    t.integer('MemoryMb').notNullable();
    // Processor use of the process, where 1 is one fully used processor.
    t.float('Processors', 53).notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('Servers');
}
