import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { SERVER_GONE_SECONDS } from '#shared/contract/system.ts';

export interface ServerRow {
  ServerId: string;
  Name: string;
  Version: string;
  Role: string;
  StartedTime: Date;
  LastTime: Date;
  IsDraining: boolean;
  Threads: number;
  BusyThreads: number;
  MemoryMb: number;
  Processors: number;
  /** With commas between. */
  Pools: string;
}

export type ServerSign = Omit<ServerRow, 'StartedTime' | 'LastTime'>;

/** Of a server that was killed, the row stays so long, for people to see it. */
const KEEP_SECONDS = 24 * 3600;

/** Writes a sign of life; the first one makes the row. */
export async function writeSign({ knex, dialect }: Database, { ServerId, ...sign }: ServerSign): Promise<void> {
  const LastTime = dialect.now(knex);
  const known = await knex('Servers')
    .where({ ServerId })
    .update({ ...sign, LastTime });
  if (known > 0) return;
  await dialect.upsert(knex, { table: 'Servers', rows: [{ ServerId, ...sign }], key: ['ServerId'], update: [] });
  const before = dialect.nowPlus(knex, -KEEP_SECONDS) as unknown as Knex.Value;
  await knex('Servers').where('LastTime', '<', before).delete();
}

export async function deleteSign({ knex }: Pick<Database, 'knex'>, ServerId: string): Promise<void> {
  await knex('Servers').where({ ServerId }).delete();
}

/** Those that live first, and of them the longest running. */
export async function listServers({ knex, dialect }: Database): Promise<(ServerRow & { IsGone: boolean })[]> {
  const rows = (await knex('Servers').select('*', { Silent: dialect.secondsSince(knex, 'LastTime') })) as (ServerRow & {
    Silent: number;
  })[];
  return rows
    .map(({ Silent, ...row }) => ({ ...row, IsGone: Silent > SERVER_GONE_SECONDS }))
    .toSorted((a, b) => Number(a.IsGone) - Number(b.IsGone) || a.StartedTime.getTime() - b.StartedTime.getTime());
}
