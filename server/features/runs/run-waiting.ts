/** Explains why a run waits, to people who may see it. Other runs ahead of it are only counted, never named. */
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { listPools } from '#server/queue/pools.ts';
import { DEFAULT_POOL } from '#shared/contract/queueing.ts';
import { PENDING_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import type { RunWaiting } from '#shared/contract/run-waiting.ts';
import type { RunAccess } from '#server/access/run-access.ts';

export interface RunWaitingService {
  reasons(person: Person, runId: number): Promise<RunWaiting>;
}

interface WaitingRow {
  Id: number;
  ActivityId: number;
  UserId: number;
  Status: RunStatus;
  Turn: number;
  Pool: string;
  /** 0 if there is no limit. */
  RunsAtOnce: number;
  WaitsForSteps: boolean;
}

const COLUMNS = ['Id', 'ActivityId', 'UserId', 'Status', 'Turn', 'Pool', 'RunsAtOnce', 'WaitsForSteps'];
const AT_WORK = ['PickedUp', 'Started'] as const;

export function createRunWaitingService(database: Database, access: RunAccess): RunWaitingService {
  return {
    reasons: async (person, runId) => {
      await access.require(database.knex, person, runId);
      const row = await database.knex('ActivityRuns').where('Id', runId).first<WaitingRow | undefined>(COLUMNS);
      if (row?.Status === 'Queued') return { Reasons: await inQueue(database, row) };
      if (row?.Status !== 'QueuedInSeq') return { Reasons: [] };
      return { Reasons: [await beforeQueue(database, row)] };
    },
  };
}

async function beforeQueue({ knex }: Database, { Id, ActivityId, WaitsForSteps }: WaitingRow): Promise<string> {
  if (WaitsForSteps) return 'It begins when the steps before it, or a place among the runs beside it, let it.';
  const before = await countOf(
    whereStatus(knex('ActivityRuns').where({ ActivityId, WaitsForSteps: false }), PENDING_STATUSES).where(
      'Id',
      '<',
      Id,
    ),
  );
  return `Only one run of its activity goes on at a time: ${runs(before)} of it ${before === 1 ? 'comes' : 'come'} first.`;
}

async function inQueue(database: Database, row: WaitingRow): Promise<string[]> {
  const { knex } = database;
  const { Id, ActivityId, UserId, Turn, Pool, RunsAtOnce } = row;
  const ahead = whereStatus(knex('ActivityRuns').where({ Pool }), ['Queued']).where((before) => {
    void before.where('Turn', '<', Turn).orWhere((same) => void same.where({ Turn }).where('Id', '<', Id));
  });
  const atWork = whereStatus(knex('ActivityRuns').where({ ActivityId }), AT_WORK);
  const [all, own, working, pools] = await Promise.all([
    countOf(ahead.clone()),
    countOf(ahead.clone().where({ UserId })),
    RunsAtOnce > 0 ? countOf(atWork) : 0,
    listPools(database),
  ]);
  const pool = pools.find((one) => one.Pool === Pool);
  const reasons: string[] = [];
  const named = Pool === DEFAULT_POOL ? '' : ` of the pool ${Pool}`;
  if (!pool || pool.Servers === 0) reasons.push(`No server that carries out runs${named} is at work.`);
  if (RunsAtOnce > 0 && working >= RunsAtOnce)
    reasons.push(`${runs(working)} of its activity ${working === 1 ? 'goes' : 'go'} on, which is its limit.`);
  reasons.push(queueText(all, own));
  return reasons;
}

function queueText(all: number, own: number): string {
  if (all === 0) return 'It is the next one: it begins as soon as a server has room for it.';
  const whose = own === 0 ? 'none of the same person' : `${own} of the same person`;
  return `${runs(all)} ${all === 1 ? 'comes' : 'come'} before it, ${whose}: people take turns.`;
}

const runs = (count: number): string => (count === 1 ? '1 run' : `${count} runs`);

async function countOf(query: ReturnType<typeof whereStatus>): Promise<number> {
  const row = await query.count({ Count: '*' }).first<{ Count: number }>();
  return row.Count;
}
