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
  if (WaitsForSteps) return 'It waits for earlier steps, or for other rows of its step.';
  const before = await countOf(
    whereStatus(knex('ActivityRuns').where({ ActivityId, WaitsForSteps: false }), PENDING_STATUSES).where(
      'Id',
      '<',
      Id,
    ),
  );
  return before === 1
    ? 'Its activity allows one run at a time, and 1 run is ahead of it.'
    : `Its activity allows one run at a time, and ${before} runs are ahead of it.`;
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
  if (!pool || pool.Servers === 0)
    reasons.push(
      Pool === DEFAULT_POOL
        ? 'No server that executes runs is available.'
        : `No server that executes runs of the pool ${Pool} is available.`,
    );
  if (RunsAtOnce > 0 && working >= RunsAtOnce)
    reasons.push(
      working === 1
        ? '1 run of its activity is in progress, which is the limit.'
        : `${working} runs of its activity are in progress, which is the limit.`,
    );
  reasons.push(queueText(all, own));
  return reasons;
}

function queueText(all: number, own: number): string {
  if (all === 0) return 'It is next, and starts as soon as a server has capacity.';
  if (all === 1) return `1 run of ${own === 1 ? 'the same' : 'another'} user is ahead of it. Users take turns.`;
  return `${all} runs are ahead of it, ${own === 0 ? 'none' : own} of them by the same user. Users take turns.`;
}

async function countOf(query: ReturnType<typeof whereStatus>): Promise<number> {
  const row = await query.count({ Count: '*' }).first<{ Count: number }>();
  return row.Count;
}
