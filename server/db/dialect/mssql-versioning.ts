import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '#server/base/start-error.ts';
import type { Db } from './types.ts';

/**
 * The setting can only change while no other connection uses the database. Another server that is starting may have
 * one, so the change is retried.
 */
const ATTEMPTS = 10;
const WAIT_MS = 500;
/** "A lock could not be placed on the database", and "other users are using the database". */
const OCCUPIED = new Set([5061, 5070]);

/**
 * Turns on READ_COMMITTED_SNAPSHOT. Readers then see the last committed version of a row, as on PostgreSQL, instead of
 * waiting for the transaction that changes it. This is a setting of the database: on by default on Azure SQL, off
 * elsewhere. Throws a StartError if it is off and cannot be turned on.
 */
export async function turnOnRowVersions(db: Db): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (await hasRowVersions(db)) return;
    try {
      await db.raw('alter database current set read_committed_snapshot on with no_wait');
      return;
    } catch (cause) {
      const isOccupied = OCCUPIED.has((cause as { number?: number }).number ?? 0);
      if (!isOccupied || attempt === ATTEMPTS) throw refusal(cause);
      await pause(WAIT_MS);
    }
  }
}

async function hasRowVersions(db: Db): Promise<boolean> {
  const rows = (await db.raw(
    'select [is_read_committed_snapshot_on] as [IsOn] from [sys].[databases] where [database_id] = db_id()',
  )) as { IsOn: boolean }[];
  return rows[0]?.IsOn === true;
}

function refusal(cause: unknown): StartError {
  return new StartError(
    'the SQL Server database must have READ_COMMITTED_SNAPSHOT on; have its owner run, while nobody is connected to it: ' +
      'ALTER DATABASE CURRENT SET READ_COMMITTED_SNAPSHOT ON',
    { cause },
  );
}
