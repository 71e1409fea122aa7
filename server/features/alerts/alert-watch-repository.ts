/** Queries for the runs that alerts must check. */
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { whereNotBatchRun } from '#server/queue/batch-runs.ts';
import type { AlertFiringsRow, AlertsRow } from '#server/db/tables.ts';
import type { AlertRow, FiringRow, WatchedRun } from './alerts-repository.ts';

/** See sinceCursor. */
interface EventSpan {
  since: Date;
  now: Date;
}

const TABLES = {
  activities: { runs: 'ActivityRuns', owner: 'ActivityId', run: 'ActivityRunId' },
  checklists: { runs: 'ChecklistRuns', owner: 'ChecklistId', run: 'ChecklistRunId' },
} as const;
export type WatchedKind = keyof typeof TABLES;

export interface Watched {
  AlertId: number;
  run: WatchedRun;
}

/** Part of a list that is ordered by run and alert. */
export interface WatchedPage {
  /** The last row of the previous page. */
  after: { RunId: number; AlertId: number };
  limit: number;
}

/** Returns the active alerts and rules, without the default rules of owners, of which there may be one per user. */
export async function listWatching(db: Db): Promise<AlertsRow[]> {
  return db('Alerts')
    .where('IsActive', true)
    .where((own) => void own.whereNull('Scope').orWhereNot('Scope', 'Owner'))
    .select();
}

function columnsOf(kind: WatchedKind): string[] {
  const columns = ['Id', 'UserId', 'Status', 'QueueTime', 'EndTime'].map((column) => `R.${column}`);
  const own = ['R.StartTime', 'R.ActivityVersion', 'R.ChecklistRunId', 'R.ParentRunId'];
  return [...columns, ...(kind === 'activities' ? own : []), `R.${TABLES[kind].owner} as OwnerId`, 'A.Id as AlertId'];
}

const isWatching = (db: Db, kind: WatchedKind, kinds: readonly string[]): Knex.QueryBuilder => {
  const { runs, owner } = TABLES[kind];
  return db(`${runs} as R`)
    .join('Alerts as A', `A.${owner}`, `R.${owner}`)
    .where('A.IsActive', true)
    .whereIn('A.Kind', kinds);
};

function ofPage(query: Knex.QueryBuilder, { after: { RunId, AlertId }, limit }: WatchedPage): Knex.QueryBuilder {
  return (
    query
      // The database seeks to this id in its index; the next condition alone would make it read all runs before.
      .where('R.Id', '>=', RunId)
      .where((either) => void either.where('R.Id', '>', RunId).orWhere('A.Id', '>', AlertId))
      .orderBy(['R.Id', 'A.Id'])
      .limit(limit)
  );
}

function watched(rows: (WatchedRun & { AlertId: number })[]): Watched[] {
  return rows.map(({ AlertId, ...run }) => ({ AlertId, run }));
}

/** Returns finished runs by ascending id, one row per alert that already existed when the run ended. */
export async function endedRuns(
  db: Db,
  kind: WatchedKind,
  { since, now }: EventSpan,
  page: WatchedPage,
): Promise<Watched[]> {
  const ended = isWatching(db, kind, ['Outcome', 'Long', 'Value'])
    .where('R.EndTime', '>', since)
    .where('R.EndTime', '<=', now)
    .whereRaw('?? > ??', ['R.EndTime', 'A.CreateTime']);
  const query = ofPage(ended, page).select<(WatchedRun & { AlertId: number })[]>(columnsOf(kind));
  if (kind === 'activities') whereNotBatchRun(db, query, 'R.Id');
  return watched(await query);
}

/**
 * Returns runs in progress by ascending id, one row per alert on long runs that has not fired for the run. Their
 * number has no limit: a workflow run that waits for an approval is in progress as well.
 */
export async function runningRuns(db: Db, kind: WatchedKind, page: WatchedPage): Promise<Watched[]> {
  const { run } = TABLES[kind];
  const fired = db('AlertFirings as F')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['F.AlertId', 'A.Id'])
    .whereRaw('?? = ??', [`F.${run}`, 'R.Id']);
  const running = whereStatus(isWatching(db, kind, ['Long']), ['Started'], 'R.Status').whereNotExists(fired);
  const query = ofPage(running, page).select<(WatchedRun & { AlertId: number })[]>(columnsOf(kind));
  return watched(await query);
}

/** Returns whether a run succeeded between two times. */
export async function hasSucceededBetween(db: Db, alert: AlertRow, from: Date, to: Date): Promise<boolean> {
  const { runs, owner } = TABLES[alert.ActivityId === null ? 'checklists' : 'activities'];
  const query = db(runs)
    .where(owner, alert.ActivityId ?? alert.ChecklistId ?? 0)
    .where('EndTime', '>=', from)
    .where('EndTime', '<=', to);
  return (await whereStatus(query, ['Succeeded', 'SucceededWarn']).first('Id')) !== undefined;
}

export async function dueAlerts(db: Db, now: Date): Promise<AlertRow[]> {
  return db('Alerts').where('IsActive', true).where('NextTime', '<=', now).orderBy('Id').select();
}

export async function dueEscalations(db: Db, now: Date): Promise<AlertFiringsRow[]> {
  return db('AlertFirings').where('EscalateTime', '<=', now).orderBy('EscalateTime').limit(100);
}

export async function isThere(db: Db, { ActivityId }: Pick<AlertRow, 'ActivityId'>): Promise<boolean> {
  if (ActivityId === null) return true;
  return (await db('Activities').where({ Id: ActivityId, IsActive: true }).first('Id')) !== undefined;
}

export async function starterOf(
  db: Db,
  { ActivityRunId, ChecklistRunId }: Pick<FiringRow, 'ActivityRunId' | 'ChecklistRunId'>,
): Promise<number | null> {
  const [table, Id] = ActivityRunId === null ? ['ChecklistRuns', ChecklistRunId] : ['ActivityRuns', ActivityRunId];
  if (Id === null) return null;
  const row = await db(table).where({ Id }).first<{ UserId: number } | undefined>('UserId');
  return row?.UserId ?? null;
}
