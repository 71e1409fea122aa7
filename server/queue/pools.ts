/** Pools that servers serve, that activities need or that runs wait for. */
import type { Database } from '#server/db/database.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { SERVER_GONE_SECONDS } from '#shared/contract/system.ts';
import type { PoolItem } from '#shared/contract/queueing.ts';

interface Waiting {
  Pool: string;
  Status: 'Queued' | 'PickedUp' | 'Started';
  Count: number | string;
  Oldest: Date;
}

export async function listPools({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>): Promise<PoolItem[]> {
  const [servers, activities, waiting] = await Promise.all([
    knex('Servers')
      .whereNot('Pools', '')
      // Servers that drain take no runs.
      .where({ IsDraining: false, IsDrainAsked: false })
      .select('Pools', { Silent: dialect.secondsSince(knex, 'LastTime') }),
    knex('Activities').groupBy('Pool').select('Pool').count({ Count: '*' }),
    whereStatus(knex('ActivityRuns'), ['Queued', 'PickedUp', 'Started'])
      .groupBy('Pool', 'Status')
      .select('Pool', 'Status', { Oldest: knex.min('QueueTime') })
      .count({ Count: '*' }),
  ]);
  const served = (servers as { Pools: string; Silent: number }[])
    .filter(({ Silent }) => Silent <= SERVER_GONE_SECONDS)
    .flatMap(({ Pools }) => Pools.split(','));
  const needed = new Map(
    (activities as { Pool: string; Count: number | string }[]).map(({ Pool, Count }) => [Pool, Number(Count)]),
  );
  const runs = waiting as Waiting[];
  const names = new Set([...served, ...needed.keys(), ...runs.map(({ Pool }) => Pool)]);
  return [...names].toSorted().map((Pool) => {
    const own = runs.filter((row) => row.Pool === Pool);
    const queued = own.find(({ Status }) => Status === 'Queued');
    const atWork = own.filter(({ Status }) => Status !== 'Queued');
    return {
      Pool,
      Servers: served.filter((name) => name === Pool).length,
      Activities: needed.get(Pool) ?? 0,
      Queued: Number(queued?.Count ?? 0),
      Running: atWork.reduce((sum, { Count }) => sum + Number(Count), 0),
      OldestTime: queued?.Oldest.toISOString() ?? null,
    };
  });
}
