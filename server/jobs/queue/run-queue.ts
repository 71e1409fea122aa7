/** Claims and leases of runs. The database alone decides who works on what, by its own time. Source: how a run executes, promises 1 to 4. */
import { inTransaction } from '#server/db/transaction.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';
import { BY_TURN, whereNoneCostlierBefore } from './fair-turns.ts';
import type { WantedPlace } from './pickup.ts';
import { createQueueScope, SERVES_DEFAULT, type Served } from './queue-scope.ts';
import type { QueueView } from './queue-view.ts';
import type { ClaimedRun } from './claimed-run.ts';

export interface ClaimRoom {
  /** Runs the worker can take besides those it has. */
  slots: number;
  /** Whether it can take only such as cost no memory and have no limit, since they wait for a slot. */
  onlyFree?: boolean;
  /** Memory cost that is left of the budget. */
  memory: number;
  /** A worker without runs takes one whatever it costs: a run larger than every budget would wait for ever. */
  idle: boolean;
  /** Whether the last claim has just taken all runs that cost nothing. */
  freeTaken?: boolean;
  /** Only runs of these activities, for a slot that is kept for them: they pass all others, which could not take it. */
  activities?: readonly number[] | undefined;
}

export interface HeldRun {
  Id: number;
  Fence: number;
  CancelTime: Date | null;
}

export interface RunQueue {
  /** The first runs that fit, in the order of their turns and within one by age; empty where none does. */
  claim(worker: string, room: ClaimRoom): Promise<ClaimedRun[]>;
  /** Prolongs the leases of those of the runs that the worker still holds, and says which they are. */
  renew(worker: string, runIds: readonly number[]): Promise<HeldRun[]>;
  /** PickedUp → Started, so many seconds ago; false where the run is not the worker's any more, or was cancelled. May be called again. */
  markStarted(worker: string, run: ClaimedRun, secondsAgo: number): Promise<boolean>;
  /** Whether the worker of this process may carry out a run that comes straight from its start. */
  mayPickUp(wanted: WantedPlace): boolean;
  /** Whether any run is waiting for a worker like this, and no limit keeps it. */
  isWaiting(): Promise<boolean>;
  /** The activities of the first runs that are waiting for a worker like this; the one whose run is the next comes first. */
  queuedActivities(): Promise<number[]>;
  /** Gives back a run that was not Started yet; false where it is not the worker's any more, or was cancelled. */
  handBack(worker: string, run: ClaimedRun): Promise<boolean>;
  /** Gives back what a claim took whose answer never arrived: all that the worker holds besides the runs it knows. */
  handBackUnknown(worker: string, runIds: readonly number[]): Promise<void>;
  /** Runs of a worker that a person asked to stop. */
  cancelled(worker: string): Promise<number[]>;
  readonly leaseSeconds: number;
}

/** After this time at the head of the queue nothing behind it overtakes a run that is too large for the space left. */
const OVERTAKING_SECONDS = 60;
/** Room for several cheap runs in one statement; dearer ones are taken one at a time. */
export const BATCH = 16;

/** What one server claims under a limit, the others see before they claim. */
const LIMITS_LOCK = 'runsheet.limits';
/** So long a claim may overlook that runs with a limit have come. */
const LIMITS_KNOWN_MS = 5_000;
/** Runs at the head of the queue of which the activities are read. */
const HEAD = 1_000;
/** Activities that a claim may name. */
const ACTIVITIES_MAX = 64;
/** The columns of a run that goes back to the queue, with the turn that it had. */
export const HANDED_BACK = { Status: 'Queued', WorkerId: null, PickupTime: null, LeaseUntil: null };
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

type Wanted = Pick<ClaimRoom, 'activities'> & { limit: number };

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
      orderBy: BY_TURN,
      limit,
      set: { ...pickedUp(database, db, worker, leaseSeconds), Fence: db.raw('?? + 1', ['Fence']) },
      returning: RETURNED,
    });

  const waiting = (): Knex.QueryBuilder => scope.whereServed(whereStatus(knex('ActivityRuns'), ['Queued']));
  const limits = createLimitWatch(
    async () => (await prepared(scope.whereLimited(waiting()).first('Id'))) !== undefined,
  );

  async function takeUnlimited(worker: string, limit: number, room: ClaimRoom): Promise<ClaimedRun[]> {
    const { activities } = room;
    const view = (await limits.areAbout()) ? scope : scope.unlimited;
    // What costs nothing fits whatever else runs, so several can be taken at once.
    const free = room.freeTaken
      ? []
      : await take(knex, worker, { limit, activities }, (query) => {
          if (activities) scope.unlimited.whereNoLimitedBefore(query.where('MemoryCost', 0), 0);
          else costsNothing(view, query);
        });
    if (free.length > 0 || room.onlyFree) return free;
    return take(knex, worker, { limit: 1, activities }, (query) => {
      view.whereNoLimitedBefore(query, room.idle ? null : room.memory);
      fits(database, view, query, room);
    });
  }

  /** One at a time, so that none is taken that the others leave no room for. */
  async function takeLimited(worker: string, room: ClaimRoom): Promise<ClaimedRun[]> {
    if (!(await limits.look())) return [];
    if ((await scope.whereAllowed(scope.whereLimited(waiting())).first('Id')) === undefined) return [];
    return inTransaction(knex, async (trx) => {
      await dialect.lock(trx, LIMITS_LOCK);
      return take(trx, worker, { limit: 1, activities: room.activities }, (query) =>
        fits(database, scope, scope.whereAllowed(query), room),
      );
    });
  }

  return {
    isWaiting: async () => (await prepared(scope.whereAllowed(waiting()).first('Id'))) !== undefined,
    mayPickUp: (wanted: WantedPlace) => scope.mayPickUp(wanted),
    queuedActivities: () => listActivities(knex, waiting()),
    claim: async (worker: string, room: ClaimRoom) => {
      const limit = Math.min(room.slots, BATCH);
      if (limit < 1) return [];
      const taken = scope.limitsAll ? [] : await takeUnlimited(worker, limit, room);
      return taken.length > 0 || room.onlyFree ? taken : takeLimited(worker, room);
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
        .returning(['Id', 'Fence', 'CancelTime']) as unknown as Promise<HeldRun[]>,
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
    handBack: async (worker, { Id, Fence }) => {
      const mine = held(knex, worker).where({ Id, Fence, Status: 'PickedUp' }).whereNull('CancelTime');
      return (await mine.update(HANDED_BACK)) === 1;
    },
    handBackUnknown: async (worker, runIds) => {
      await whereStatus(held(knex, worker), ['PickedUp']).whereNotIn('Id', runIds).update(HANDED_BACK);
    },
    cancelled: async (worker) => held(knex, worker).whereNotNull('CancelTime').pluck('Id') as Promise<number[]>,
  };
}

/** The activities of the first of the runs that wait. */
async function listActivities(knex: Knex, waiting: Knex.QueryBuilder): Promise<number[]> {
  const head = waiting.orderBy(BY_TURN).limit(HEAD).select('ActivityId', 'Turn').as('Head');
  const activities = knex.from(head).groupBy('ActivityId').orderByRaw('min(??)', ['Turn']).limit(ACTIVITIES_MAX);
  return (await activities.pluck('ActivityId')) as number[];
}

/** The last one again, up to a power of two: of prepared statements there are then few. */
function padded(activities: readonly number[]): number[] {
  const length = 2 ** Math.ceil(Math.log2(activities.length));
  return Array.from({ length }, (_, index) => activities[Math.min(index, activities.length - 1)]!);
}

/** The moment work on a picked-up run began, told by a worker's own clock; never before its pickup. */
export function startedAgo({ dialect }: Pick<Database, 'dialect'>, db: Db, seconds: number): Knex.Raw {
  const moment = dialect.nowPlus(db, -seconds);
  return db.raw('case when ?? > ? then ?? else ? end', ['PickupTime', moment, 'PickupTime', moment]);
}

/** The columns of a run that a worker holds from its start on. */
export function pickedUp({ dialect }: Pick<Database, 'dialect'>, db: Db, worker: string, leaseSeconds: number) {
  return {
    Status: 'PickedUp' as const,
    WorkerId: worker,
    PickupTime: dialect.now(db),
    LeaseUntil: dialect.nowPlus(db, leaseSeconds),
  };
}

/** The runs a worker holds. */
export function held(db: Db, worker: string): Knex.QueryBuilder {
  return whereStatus(db('ActivityRuns').where('WorkerId', worker), ['PickedUp', 'Started']);
}

/** Whether runs wait that have a limit: looked for now and then, so that claims heed them where there are any, and cost no more where there are none. */
function createLimitWatch(find: () => Promise<boolean>) {
  let found = false;
  let lookedAt = -Infinity;
  const look = async (): Promise<boolean> => {
    found = await find();
    lookedAt = performance.now();
    return found;
  };
  return { look, areAbout: async () => (performance.now() - lookedAt > LIMITS_KNOWN_MS ? look() : found) };
}

/** Runs without cost that have no costlier one before them, and none that a limit lets go first. */
function costsNothing(view: QueueView, query: Knex.QueryBuilder): void {
  void query.where('MemoryCost', 0);
  view.whereNoLimitedBefore(query, 0);
  whereNoneCostlierBefore(view, query, 0);
}

function fits({ knex, dialect }: Database, view: QueueView, query: Knex.QueryBuilder, room: ClaimRoom): void {
  if (room.idle) return;
  void query.where('MemoryCost', '<=', room.memory);
  whereNoneCostlierBefore(view, query, room.memory, (tooLarge) => {
    void tooLarge.where('QueueTime', '<', dialect.nowPlus(knex, -OVERTAKING_SECONDS));
  });
}
