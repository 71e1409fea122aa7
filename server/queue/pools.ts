/** Pools that servers serve, that activities need or that runs wait for. */
import type { Database } from '#server/db/database.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { SERVER_GONE_SECONDS } from '#shared/contract/system.ts';
import type { PoolItem } from '#shared/contract/queueing.ts';

interface Waiting {
  Pool: string;
  Status: 'Queued' | 'PickedUp' | 'Started';
  Count: number;
  Oldest: Date;
}

export async function listPools({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>): Promise<PoolItem[]> {
  const [servers, activities, waiting] = await Promise.all([
    knex('Servers')
      .whereNot('Pools', '')
      // Servers that drain take no runs.
      .where({ IsDraining: false, IsDrainAsked: false })
      .select({ Silent: dialect.secondsSince(knex, 'LastTime') })
      .select<{ Pools: string; Silent: number }[]>('Pools'),
    knex('Activities').groupBy('Pool').select('Pool').count<{ Pool: string; Count: number }[]>({ Count: '*' }),
    whereStatus(knex('ActivityRuns'), ['Queued', 'PickedUp', 'Started'])
      .groupBy('Pool', 'Status')
      .select({ Oldest: knex.min('QueueTime') })
      .count({ Count: '*' })
      .select<Waiting[]>('Pool', 'Status'),
  ]);
  const served = servers.filter(({ Silent }) => Silent <= SERVER_GONE_SECONDS).flatMap(({ Pools }) => Pools.split(','));
  const needed = new Map(activities.map(({ Pool, Count }) => [Pool, Count]));
  const names = new Set([...served, ...needed.keys(), ...waiting.map(({ Pool }) => Pool)]);
  return [...names].toSorted().map((Pool) => {
    const own = waiting.filter((row) => row.Pool === Pool);
    const queued = own.find(({ Status }) => Status === 'Queued');
    const atWork = own.filter(({ Status }) => Status !== 'Queued');
    return {
      Pool,
      Servers: served.filter((name) => name === Pool).length,
      Activities: needed.get(Pool) ?? 0,
      Queued: queued?.Count ?? 0,
      Running: atWork.reduce((sum, { Count }) => sum + Count, 0),
      OldestTime: queued?.Oldest.toISOString() ?? null,
    };
  });
}
