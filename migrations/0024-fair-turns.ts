/** The fair queue: to whom a queued run is attributed, and its fair-share rank. */
import type { Knex } from 'knex';

// Literals, because an index definition cannot contain bound values.
const TAKING_TURNS = "?? in ('Queued', 'PickedUp', 'Started')";

/**
 * A statement sees only what was committed before it began. Each query inside a volatile function sees what was
 * committed before that query began: here, everything before the lock was granted. Source: PostgreSQL, Function
 * Volatility Categories. SQL Server has locking hints for this.
 */
const LAST_TURN_OF = `
create function "LastTurnOf"("Owner" text) returns integer language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('runsheet.turns ' || "Owner", 0));
  return (select max("Turn") from "ActivityRuns"
    where "TurnOwner" = "Owner" and "Status" in ('Queued', 'PickedUp', 'Started'));
end
$$`;

const isPostgres = (knex: Knex): boolean => (knex.client as { dialect: string }).dialect === 'postgresql';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.string('TurnOwner', 64).notNullable().defaultTo('');
    t.integer('Turn').notNullable().defaultTo(0);
  });
  await knex('ActivityRuns')
    .whereRaw("?? in ('Queued', 'QueuedInSeq', 'PickedUp', 'Started')", ['Status'])
    .update({ TurnOwner: knex.raw("concat('user ', ??)", ['UserId']) });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.index(['Status', 'Turn', 'Id'], 'IX_ActivityRuns_Turn', {
      predicate: knex.whereRaw(TAKING_TURNS, ['Status']),
    });
    t.index(['TurnOwner', 'Turn'], 'IX_ActivityRuns_TurnOwner', {
      predicate: knex.whereRaw(TAKING_TURNS, ['Status']),
    });
    // Runs that may be too large for the remaining memory.
    t.index(['Turn', 'Id'], 'IX_ActivityRuns_QueuedCost', {
      predicate: knex.whereRaw("?? = 'Queued' and ?? > 0", ['Status', 'MemoryCost']),
    });
  });
  if (isPostgres(knex)) await knex.raw(LAST_TURN_OF);
}

export async function down(knex: Knex): Promise<void> {
  if (isPostgres(knex)) await knex.raw('drop function "LastTurnOf"(text)');
  await knex.schema.alterTable('ActivityRuns', (t) => {
    for (const name of ['IX_ActivityRuns_QueuedCost', 'IX_ActivityRuns_TurnOwner', 'IX_ActivityRuns_Turn']) {
      t.dropIndex([], name);
    }
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropColumns('TurnOwner', 'Turn');
  });
}
