/**
 * Bounds of run ids for the runs of a period. Pages of a history are ranges of an index by run id; without these bounds
 * a search for an earlier period would scan all newer runs.
 *
 * Ids follow the time at which runs are stored. Most runs are queued when they are stored. Steps of a workflow and rows
 * of a Start step are stored together, wait, and are queued later, some of them by weeks.
 */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';

export interface Period {
  queuedFrom: Date | undefined;
  /** Exclusive. */
  queuedBefore: Date | undefined;
}

/** Both inclusive; undefined if all runs on that side may be in the period. */
export interface IdBounds {
  firstId: number | undefined;
  lastId: number | undefined;
}

/** Ids and times can be in different order only for moments, because transactions overlap. This is ample. */
const DAY_MS = 86_400_000;

/** Returns bounds that contain the ids of all runs queued in the period. */
export async function idBounds(db: Db, { queuedFrom, queuedBefore }: Period): Promise<IdBounds> {
  return {
    firstId: queuedFrom && (await firstIdOf(db, queuedFrom, queuedBefore)),
    lastId: queuedBefore && (await storedAfter(db, new Date(queuedBefore.getTime() + DAY_MS))),
  };
}

/** Returns the id of a run that was stored at this time or later; undefined if there may be none. */
async function storedAfter(db: Db, time: Date): Promise<number | undefined> {
  const run = await db('ActivityRuns as R')
    .leftJoin('ChecklistRuns as C', 'C.Id', 'R.ChecklistRunId')
    .where('R.QueueTime', '>=', time)
    .where((known) => {
      void known.where('C.QueueTime', '>=', time);
      // Any other run may have been stored long before it was queued.
      void known.orWhere((alone) => void alone.whereNull('R.ChecklistRunId').whereNull('R.ParentRunId'));
    })
    .orderBy('R.QueueTime')
    .first<{ Id: number } | undefined>('R.Id');
  return run?.Id;
}

async function firstIdOf(db: Db, from: Date, before: Date | undefined): Promise<number | undefined> {
  const usual = await storedBefore(db, new Date(from.getTime() - DAY_MS));
  // Without an earlier run, no bound is needed.
  if (usual === undefined) return undefined;
  const late = (query: Knex.QueryBuilder): void => {
    void query.where('R.Id', '<', usual).where('R.QueueTime', '>=', from);
    if (before) void query.where('R.QueueTime', '<', before);
  };
  return Math.min(usual, (await firstLateStep(db, from, late)) ?? usual, (await firstLateRow(db, from, late)) ?? usual);
}

/** Number of runs of which the newest is used, because some of them may be late ones with low ids. */
const NEAR_RUNS = 100;

/**
 * Returns the id of a run that was stored at this time or earlier; undefined if there is none. No run is queued before
 * it is stored, so every run queued by then qualifies.
 */
async function storedBefore(db: Db, time: Date): Promise<number | undefined> {
  const runs = await db('ActivityRuns')
    .where('QueueTime', '<=', time)
    .orderBy('QueueTime', 'desc')
    .limit(NEAR_RUNS)
    .select('Id');
  return runs.length === 0 ? undefined : Math.max(...runs.map(({ Id }) => Id));
}

/** Returns the lowest id of a late step. Its workflow began before the period, and ended in it, later or not yet. */
async function firstLateStep(
  db: Db,
  from: Date,
  late: (query: Knex.QueryBuilder) => void,
): Promise<number | undefined> {
  const steps = db('ActivityRuns as R').whereRaw('?? = ??', ['R.ChecklistRunId', 'C.Id']);
  late(steps);
  const workflows = db('ChecklistRuns as C').where('C.QueueTime', '<', from);
  whereEndsAfter(workflows, 'C.EndTime', from);
  return lowest(db, workflows, steps);
}

/** Returns the lowest id of a late row of a Start step. */
async function firstLateRow(db: Db, from: Date, late: (query: Knex.QueryBuilder) => void): Promise<number | undefined> {
  const rows = db('ActivityRuns as R').whereRaw('?? = ?? and ?? = ??', [
    'R.ParentRunId',
    'S.ParentRunId',
    'R.StepKey',
    'S.StepKey',
  ]);
  late(rows);
  const starts = db('RunStarts as S').join('ActivityRuns as P', 'P.Id', 'S.ParentRunId').where('P.EndTime', '<', from);
  whereEndsAfter(starts, 'S.EndTime', from);
  return lowest(db, starts, rows);
}

function whereEndsAfter(query: Knex.QueryBuilder, column: string, time: Date): void {
  const ended = new Date(time.getTime() - DAY_MS);
  void query.where((open) => void open.whereNull(column).orWhere(column, '>=', ended));
}

/**
 * Looks up the runs of each workflow or Start step by index, because only few of these last into the period.
 * @param runs the late runs of one of them, with ActivityRuns as R
 */
async function lowest(db: Db, each: Knex.QueryBuilder, runs: Knex.QueryBuilder): Promise<number | undefined> {
  // Sorts by an expression: for the order of the ids, the database might scan all runs from the first on.
  const first = runs.orderByRaw('case when ?? > 0 then ?? end', ['R.Id', 'R.Id']).limit(1).select('R.Id');
  dialectOf(db).leftJoinEach(each, first, 'L');
  const [found] = await each.min<{ Id: number | null }[]>({ Id: 'L.Id' });
  return found?.Id ?? undefined;
}
