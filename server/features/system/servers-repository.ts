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
  /** By an administrator. The server itself never writes it. */
  IsDrainAsked: boolean;
  /** That it is at work on. */
  Runs: number;
  Threads: number;
  BusyThreads: number;
  MemoryMb: number;
  Processors: number;
  /** With commas between. */
  Pools: string;
}

export type ServerSign = Omit<ServerRow, 'StartedTime' | 'LastTime' | 'IsDrainAsked'>;

/** Of a server that was killed, the row stays so long, for people to see it. */
const KEEP_SECONDS = 24 * 3600;

/** Writes a sign of life; the first one makes the row. Answers whether the server is to be drained. */
export async function writeSign({ knex, dialect }: Database, { ServerId, ...sign }: ServerSign): Promise<boolean> {
  const LastTime = dialect.now(knex);
  const [known] = (await knex('Servers')
    .where({ ServerId })
    .update({ ...sign, LastTime })
    .returning('IsDrainAsked')) as Pick<ServerRow, 'IsDrainAsked'>[];
  if (known) return known.IsDrainAsked;
  await dialect.upsert(knex, { table: 'Servers', rows: [{ ServerId, ...sign }], key: ['ServerId'], update: [] });
  const before = dialect.nowPlus(knex, -KEEP_SECONDS) as unknown as Knex.Value;
  await knex('Servers').where('LastTime', '<', before).delete();
  return false;
}

/** Of servers that are at work, those that are another. */
export async function otherVersions({ knex, dialect }: Database, version: string): Promise<string[]> {
  const since = dialect.nowPlus(knex, -SERVER_GONE_SECONDS) as unknown as Knex.Value;
  return knex('Servers').where('LastTime', '>', since).whereNot('Version', version).distinct().pluck('Version');
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

/** Answers the server's name and whether that changed anything; undefined where there is no such server. */
export async function askToDrain(
  trx: Knex.Transaction,
  ServerId: string,
  IsDrainAsked: boolean,
): Promise<{ Name: string; isChanged: boolean } | undefined> {
  const row = (await trx('Servers').where({ ServerId }).forUpdate().first('Name', 'IsDrainAsked')) as
    | Pick<ServerRow, 'Name' | 'IsDrainAsked'>
    | undefined;
  if (!row) return undefined;
  const isChanged = row.IsDrainAsked !== IsDrainAsked;
  // Until its next sign says more, it is shown as what it is about to be.
  const shown = IsDrainAsked ? {} : { IsDraining: false };
  if (isChanged)
    await trx('Servers')
      .where({ ServerId })
      .update({ IsDrainAsked, ...shown });
  return { Name: row.Name, isChanged };
}
