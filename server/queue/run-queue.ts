/**
 * Claims and leases of runs. Only the database decides which worker has which run, by its own clock. Source: how a run
 * executes, promises 1 to 4.
 */
import { inTransaction } from '#server/db/transaction.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';
import type { ActivityRunsRow } from '#server/db/tables.ts';
import { BY_RANK, whereNoneCostlierBefore } from './fair-queue.ts';
import type { SlotRequest } from './slot-reservation.ts';
import { createQueueScope, SERVES_DEFAULT, type Served } from './queue-scope.ts';
import type { QueueView } from './queue-view.ts';
import type { ClaimedRun } from './claimed-run.ts';

export interface ClaimCapacity {
  /** Number of further runs that the worker can take. */
  slots: number;
  /** True if the worker can take only runs without memory cost and without a limit, because they wait for a slot. */
  onlyFree?: boolean;
  /** Memory cost that is left in the budget. */
  memory: number;
  /**
   * True if no run of the worker has a slot or uses memory. It then takes a run of any cost: a run larger than every
   * budget would otherwise wait forever.
   */
  idle: boolean;
  /** True if the last claim has just taken all runs without memory cost. */
  freeTaken?: boolean;
  /**
   * Restricts the claim to these activities, for a slot reserved for short runs. Their runs go ahead of all others,
   * which could not use the slot.
   */
  activities?: readonly number[] | undefined;
}

export type HeldRun = Pick<ActivityRunsRow, 'Id' | 'Fence' | 'CancelTime'>;

export interface RunQueue {
  /** Claims the first runs that fit, by rank and within a rank by age; empty if none fits. */
  claim(worker: string, capacity: ClaimCapacity): Promise<ClaimedRun[]>;
  /** Renews the leases of the given runs that the worker still holds, and returns these runs. */
  renew(worker: string, runIds: readonly number[]): Promise<HeldRun[]>;
  /**
   * Changes PickedUp to Started, with a start time this many seconds ago. Returns false if the run no longer belongs to
   * the worker or was cancelled. May be called again.
   */
  markStarted(worker: string, run: ClaimedRun, secondsAgo: number): Promise<boolean>;
  /** Returns true if the worker of this process may execute a run directly from its start. */
  mayPickUp(wanted: SlotRequest): boolean;
  /** Returns true if a run that this worker may take is waiting, and no limit holds it back. */
  isWaiting(): Promise<boolean>;
  /** Returns the activities of the first waiting runs that this worker may take, in the order of their first runs. */
  queuedActivities(): Promise<number[]>;
  /**
   * Returns a run that has not Started to the queue. Returns false if it no longer belongs to the worker or was
   * cancelled.
   */
  requeue(worker: string, run: ClaimedRun): Promise<boolean>;
  /**
   * Returns the runs of a claim whose response never arrived to the queue: all runs of the worker that are not in
   * `runIds`.
   */
  requeueUnknown(worker: string, runIds: readonly number[]): Promise<void>;
  /** Returns the worker's runs that a person has cancelled. */
  cancelled(worker: string): Promise<number[]>;
  readonly leaseSeconds: number;
}

/**
 * For this many seconds after it was queued, smaller runs may overtake a run that does not fit into the free memory.
 */
const OVERTAKING_SECONDS = 60;
/** Maximum number of runs without memory cost that one statement claims. Costlier runs are claimed one at a time. */
export const BATCH = 16;

/** Serializes claims under a limit, so each server sees what the others have claimed. */
const LIMITS_LOCK = 'runsheet.limits';
/** Maximum time until a claim notices newly queued runs with a limit. */
const LIMITS_KNOWN_MS = 5_000;
/** Number of runs at the head of the queue whose activities are read. */
const HEAD = 1_000;
/** Maximum number of activities in a claim. */
const ACTIVITIES_MAX = 64;
/** The columns of a run that is returned to the queue. It keeps its rank. */
export const REQUEUED_COLUMNS = {
  Status: 'Queued',
  WorkerId: null,
  PickupTime: null,
  LeaseUntil: null,
} as const;
const RETURNED = [
  'Id',
  'ActivityId',
  'ActivityVersion',
  'MemoryCost',
  'SingleRun',
  'Fence',
  'ChecklistRunId',
  'ParentRunId',
  'TraceParent',
  'QueueTime',
  'PickupTime',
];

type Wanted = Pick<ClaimCapacity, 'activities'> & { limit: number };

function createClaims(database: Database, leaseSeconds: number, served: Served) {
  const { knex, dialect } = database;
  const scope = createQueueScope(knex, served);
  const take = (db: Db, worker: string, { limit, activities }: Wanted, where: (query: Knex.QueryBuilder) => void) =>
    dialect.claimRows<ClaimedRun>(db, {
      table: 'ActivityRuns',
      key: 'Id',
      where: (query) => {
        if (activities) void query.whereIn('ActivityId', padded(activities));
        where(scope.whereServed(whereStatus(query, ['Queued'])));
      },
      orderBy: BY_RANK,
      limit,
      set: { ...pickedUp(database, db, worker, leaseSeconds), Fence: db.raw('?? + 1', ['Fence']) },
      returning: RETURNED,
    });

  const waiting = (): Knex.QueryBuilder => scope.whereServed(whereStatus(knex('ActivityRuns'), ['Queued']));
  const limits = createLimitWatch(
    async () => (await prepared(scope.whereLimited(waiting()).first('Id'))) !== undefined,
  );

  async function takeUnlimited(worker: string, limit: number, capacity: ClaimCapacity): Promise<ClaimedRun[]> {
    const { activities } = capacity;
    const view = (await limits.areAbout()) ? scope : scope.unlimited;
    // Runs without memory cost fit whatever else is running, so several can be taken at once.
    const free = capacity.freeTaken
      ? []
      : await take(knex, worker, { limit, activities }, (query) => {
          if (activities) scope.unlimited.whereNoLimitedBefore(query.where('MemoryCost', 0), 0);
          else costsNothing(view, query);
        });
    if (free.length > 0 || capacity.onlyFree) return free;
    return take(knex, worker, { limit: 1, activities }, (query) => {
      view.whereNoLimitedBefore(query, capacity.idle ? null : capacity.memory);
      fits(database, view, query, capacity);
    });
  }

  /** Claims one run at a time, because several claimed together could exceed a limit. */
  async function takeLimited(worker: string, capacity: ClaimCapacity): Promise<ClaimedRun[]> {
    if (!(await limits.look())) return [];
    if ((await scope.whereAllowed(scope.whereLimited(waiting())).first('Id')) === undefined) return [];
    return inTransaction(knex, async (trx) => {
      await dialect.lock(trx, LIMITS_LOCK);
      return take(trx, worker, { limit: 1, activities: capacity.activities }, (query) =>
        fits(database, scope, scope.whereAllowed(query), capacity),
      );
    });
  }

  return {
    isWaiting: async () => (await prepared(scope.whereAllowed(waiting()).first('Id'))) !== undefined,
    mayPickUp: (wanted: SlotRequest) => scope.mayPickUp(wanted),
    queuedActivities: () => listActivities(knex, waiting()),
    claim: async (worker: string, capacity: ClaimCapacity) => {
      const limit = Math.min(capacity.slots, BATCH);
      if (limit < 1) return [];
      const taken = scope.limitsAll ? [] : await takeUnlimited(worker, limit, capacity);
      return taken.length > 0 || capacity.onlyFree ? taken : takeLimited(worker, capacity);
    },
  };
}

export function createRunQueue(database: Database, leaseSeconds: number, served: Served = SERVES_DEFAULT): RunQueue {
  const { knex, dialect } = database;
  return {
    leaseSeconds,
    ...createClaims(database, leaseSeconds, served),
    renew: async (worker, runIds) =>
      held(knex, worker)
        .whereIn('Id', runIds)
        .update({ LeaseUntil: dialect.nowPlus(knex, leaseSeconds) })
        .returning<HeldRun[]>(['Id', 'Fence', 'CancelTime']),
    markStarted: async (worker, { Id, Fence }, secondsAgo) => {
      const changed = await held(knex, worker)
        .where({ Id, Fence })
        .whereNull('CancelTime')
        .update({
          Status: 'Started',
          StartTime: knex.raw('coalesce(??, ?)', ['StartTime', startedAgo(database, knex, secondsAgo)]),
        });
      return changed === 1;
    },
    requeue: async (worker, { Id, Fence }) => {
      const mine = held(knex, worker).where({ Id, Fence, Status: 'PickedUp' }).whereNull('CancelTime');
      return (await mine.update(REQUEUED_COLUMNS)) === 1;
    },
    requeueUnknown: async (worker, runIds) => {
      await whereStatus(held(knex, worker), ['PickedUp']).whereNotIn('Id', runIds).update(REQUEUED_COLUMNS);
    },
    cancelled: async (worker) => held(knex, worker).whereNotNull('CancelTime').pluck<number[]>('Id'),
  };
}

/** Lists the activities of the first waiting runs. */
async function listActivities(knex: Knex, waiting: Knex.QueryBuilder): Promise<number[]> {
  const head = waiting.orderBy(BY_RANK).limit(HEAD).select('ActivityId', 'Turn').as('Head');
  const activities = knex.from(head).groupBy('ActivityId').orderByRaw('min(??)', ['Turn']).limit(ACTIVITIES_MAX);
  return (await activities.pluck('ActivityId')) as number[];
}

/** Repeats the last activity until the length is a power of two, to limit the number of prepared statements. */
function padded(activities: readonly number[]): number[] {
  const length = 2 ** Math.ceil(Math.log2(activities.length));
  return Array.from({ length }, (_, index) => activities[Math.min(index, activities.length - 1)]!);
}

/** Returns when work on a picked-up run began, measured by the worker's clock; never before its pickup. */
export function startedAgo({ dialect }: Pick<Database, 'dialect'>, db: Db, seconds: number): Knex.Raw {
  const startTime = dialect.nowPlus(db, -seconds);
  return db.raw('case when ?? > ? then ?? else ? end', ['PickupTime', startTime, 'PickupTime', startTime]);
}

/** Returns the columns of a run that a worker has taken. */
export function pickedUp({ dialect }: Pick<Database, 'dialect'>, db: Db, worker: string, leaseSeconds: number) {
  return {
    Status: 'PickedUp' as const,
    WorkerId: worker,
    PickupTime: dialect.now(db),
    LeaseUntil: dialect.nowPlus(db, leaseSeconds),
  };
}

/** Selects the runs that a worker holds. */
export function held(db: Db, worker: string): Knex.QueryBuilder {
  return whereStatus(db('ActivityRuns').where('WorkerId', worker), ['PickedUp', 'Started']);
}

/**
 * Caches for a few seconds whether runs with a limit are waiting. Claims then respect the limits, and cost nothing
 * extra if no such run is waiting.
 */
function createLimitWatch(find: () => Promise<boolean>) {
  let found = false;
  let refreshedAt = -Infinity;
  const refresh = async (): Promise<boolean> => {
    found = await find();
    refreshedAt = performance.now();
    return found;
  };
  return {
    look: refresh,
    areAbout: async () => (performance.now() - refreshedAt > LIMITS_KNOWN_MS ? refresh() : found),
  };
}

/**
 * Restricts the query to runs without memory cost that come before the first costlier run and the first allowed run
 * with a limit.
 */
function costsNothing(view: QueueView, query: Knex.QueryBuilder): void {
  void query.where('MemoryCost', 0);
  view.whereNoLimitedBefore(query, 0);
  whereNoneCostlierBefore(view, query, 0);
}

function fits({ knex, dialect }: Database, view: QueueView, query: Knex.QueryBuilder, capacity: ClaimCapacity): void {
  if (capacity.idle) return;
  void query.where('MemoryCost', '<=', capacity.memory);
  whereNoneCostlierBefore(view, query, capacity.memory, (tooLarge) => {
    void tooLarge.where('QueueTime', '<', dialect.nowPlus(knex, -OVERTAKING_SECONDS));
  });
}
