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
  /** Set by an administrator. The server itself never writes it. */
  IsDrainAsked: boolean;
  /** Number of runs in progress. */
  Runs: number;
  Threads: number;
  BusyThreads: number;
  MemoryMb: number;
  Processors: number;
  /** Separated by commas. */
  Pools: string;
}

export type Heartbeat = Omit<ServerRow, 'StartedTime' | 'LastTime' | 'IsDrainAsked'>;

/** How long the row of a killed server remains visible. */
const RETENTION_SECONDS = 24 * 3600;

/** Writes a heartbeat; the first one creates the row. Returns whether the server must drain. */
export async function writeHeartbeat(
  { knex, dialect }: Database,
  { ServerId, ...heartbeat }: Heartbeat,
): Promise<boolean> {
  const LastTime = dialect.now(knex);
  const [known] = await knex('Servers')
    .where({ ServerId })
    .update({ ...heartbeat, LastTime })
    .returning('IsDrainAsked');
  if (known) return known.IsDrainAsked;
  await dialect.upsert(knex, { table: 'Servers', rows: [{ ServerId, ...heartbeat }], key: ['ServerId'], update: [] });
  const before = dialect.nowPlus(knex, -RETENTION_SECONDS);
  await knex('Servers').where('LastTime', '<', before).delete();
  return false;
}

/** Returns the versions of active servers that differ from the given one. */
export async function otherVersions({ knex, dialect }: Database, version: string): Promise<string[]> {
  const since = dialect.nowPlus(knex, -SERVER_GONE_SECONDS);
  return knex('Servers').where('LastTime', '>', since).whereNot('Version', version).distinct().pluck('Version');
}

export async function deleteServer({ knex }: Pick<Database, 'knex'>, ServerId: string): Promise<void> {
  await knex('Servers').where({ ServerId }).delete();
}

/** Returns active servers first, the longest running ones on top. */
export async function listServers({ knex, dialect }: Database): Promise<(ServerRow & { IsGone: boolean })[]> {
  const rows = await knex('Servers')
    .select({ Silent: dialect.secondsSince(knex, 'LastTime') })
    .select<(ServerRow & { Silent: number })[]>('Servers.*');
  return rows
    .map(({ Silent, ...row }) => ({ ...row, IsGone: Silent > SERVER_GONE_SECONDS }))
    .toSorted((a, b) => Number(a.IsGone) - Number(b.IsGone) || a.StartedTime.getTime() - b.StartedTime.getTime());
}

/** Returns the server's name and whether anything changed; undefined if there is no such server. */
export async function askToDrain(
  trx: Knex.Transaction,
  ServerId: string,
  IsDrainAsked: boolean,
): Promise<{ Name: string; isChanged: boolean } | undefined> {
  const row = await trx('Servers').where({ ServerId }).forUpdate().first('Name', 'IsDrainAsked');
  if (!row) return undefined;
  const isChanged = row.IsDrainAsked !== IsDrainAsked;
  // Shows the expected state until the server's next heartbeat.
  const shown = IsDrainAsked ? {} : { IsDraining: false };
  if (isChanged)
    await trx('Servers')
      .where({ ServerId })
      .update({ IsDrainAsked, ...shown });
  return { Name: row.Name, isChanged };
}
