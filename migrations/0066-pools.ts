/** Worker pools, priorities and limits of activities, and a view of the queue depth. */
import type { Knex } from 'knex';

// Literals, because the definitions of indexes, views and functions cannot contain bound values.
const TAKING_TURNS = "?? in ('Queued', 'PickedUp', 'Started')";

/** The function of migration 0024, limited to a pool and to the fair-share ranks of one priority band. */
const LAST_TURN_OF = `
create function "LastTurnOf"("Owner" text, "OfPool" text, "FirstTurn" integer, "AfterLast" integer)
returns integer language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('runsheet.turns ' || "Owner", 0));
  return (select max("Turn") from "ActivityRuns"
    where "TurnOwner" = "Owner" and "Pool" = "OfPool" and "Turn" >= "FirstTurn" and "Turn" < "AfterLast"
      and "Status" in ('Queued', 'PickedUp', 'Started'));
end
$$`;

const isPostgres = (knex: Knex): boolean => (knex.client as { dialect: string }).dialect === 'postgresql';

/** Creates a view for programs that scale workers by the number of waiting runs. */
async function createQueueDepth(knex: Knex): Promise<void> {
  const oldest = isPostgres(knex)
    ? 'extract(epoch from now() - min(??))'
    : 'datediff_big(millisecond, min(??), sysdatetimeoffset()) / 1000.0';
  await knex.raw(
    `create view ?? as select ??,
       sum(case when ?? = 'Queued' then 1 else 0 end) as ??,
       sum(case when ?? = 'Queued' then 0 else 1 end) as ??,
       ${oldest} as ??
     from ?? where ${TAKING_TURNS} group by ??`,
    [
      'QueueDepth',
      'Pool',
      'Status',
      'Queued',
      'Status',
      'Running',
      'QueueTime',
      'OldestSeconds',
      'ActivityRuns',
      'Status',
      'Pool',
    ],
  );
}

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Activities', (t) => {
    t.string('Pool', 30).notNullable().defaultTo('default');
    t.string('Priority', 6).notNullable().defaultTo('Normal');
    // 0 means no limit.
    t.integer('RunsAtOnce').notNullable().defaultTo(0);
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.string('Pool', 30).notNullable().defaultTo('default');
    t.integer('RunsAtOnce').notNullable().defaultTo(0);
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropIndex([], 'IX_ActivityRuns_TurnOwner');
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.index(['TurnOwner', 'Pool', 'Turn'], 'IX_ActivityRuns_TurnOwner', {
      predicate: knex.whereRaw(TAKING_TURNS, ['Status']),
    });
    t.index(['Pool', 'Turn', 'Id'], 'IX_ActivityRuns_PoolTurn', {
      predicate: knex.whereRaw("?? = 'Queued'", ['Status']),
    });
    // Runs that a limit may keep waiting.
    t.index(['Pool', 'Turn', 'Id'], 'IX_ActivityRuns_QueuedLimited', {
      predicate: knex.whereRaw("?? = 'Queued' and ?? > 0", ['Status', 'RunsAtOnce']),
    });
  });
  await knex.schema.alterTable('Servers', (t) => {
    // Names separated by commas; empty for a server that executes no runs.
    t.string('Pools', 1000).notNullable().defaultTo('');
  });
  await createQueueDepth(knex);
  if (isPostgres(knex)) await knex.raw(LAST_TURN_OF);
}

export async function down(knex: Knex): Promise<void> {
  if (isPostgres(knex)) await knex.raw('drop function "LastTurnOf"(text, text, integer, integer)');
  await knex.schema.dropView('QueueDepth');
  await knex.schema.alterTable('ActivityRuns', (t) => {
    for (const name of ['QueuedLimited', 'PoolTurn', 'TurnOwner']) t.dropIndex([], `IX_ActivityRuns_${name}`);
  });
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.index(['TurnOwner', 'Turn'], 'IX_ActivityRuns_TurnOwner', {
      predicate: knex.whereRaw(TAKING_TURNS, ['Status']),
    });
  });
  await knex.schema.alterTable('Servers', (t) => t.dropColumns('Pools'));
  await knex.schema.alterTable('ActivityRuns', (t) => t.dropColumns('Pool', 'RunsAtOnce'));
  await knex.schema.alterTable('Activities', (t) => t.dropColumns('Pool', 'Priority', 'RunsAtOnce'));
}
