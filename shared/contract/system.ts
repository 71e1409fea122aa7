/** What administrators see of the servers and the work they do, and maintenance mode. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, nullable, post, signedIn, Timestamp, userAdmin } from './endpoint.ts';
import { PoolItem } from './queueing.ts';
import { RunStatus } from './run-status.ts';

export const MAINTENANCE_TEXT_MAX = 500;
/** A server that has told nothing of itself for so long is shown as gone. Seconds. */
export const SERVER_GONE_SECONDS = 20;

export const ServerItem = closed({
  /** Made up at each start. */
  ServerId: Type.String(),
  Name: Type.String(),
  Version: Type.String(),
  Role: Type.String(),
  StartedTime: Timestamp,
  LastTime: Timestamp,
  IsGone: Type.Boolean(),
  /** It takes no runs: it is about to stop, or was asked not to. */
  IsDraining: Type.Boolean(),
  /** Whether an administrator drains it; it heeds that within seconds. */
  IsDrainAsked: Type.Boolean(),
  /** Runs that it is at work on. */
  Runs: Type.Integer(),
  Threads: Type.Integer(),
  BusyThreads: Type.Integer(),
  MemoryMb: Type.Integer(),
  /** Processors kept busy by it, such as 1.5. */
  Processors: Type.Number(),
  /** Whose runs it carries out; none of one that only answers calls. */
  Pools: Type.Array(Type.String()),
});
export type ServerItem = Static<typeof ServerItem>;

const Seconds = nullable(Type.Number());

/** Of an activity among the runs that were looked at; times in seconds, null where no run has such a time. */
export const ActivityTimes = closed({
  ActivityId: Id,
  Name: Type.String(),
  Runs: Type.Integer(),
  Failed: Type.Integer(),
  P50: Seconds,
  P95: Seconds,
  P99: Seconds,
  WaitingP95: Seconds,
  /** Of the older half of these runs; null where either half is too small to say anything. */
  OlderP95: Seconds,
  /** The same of the newer half. */
  NewerP95: Seconds,
});
export type ActivityTimes = Static<typeof ActivityTimes>;

export const FailureCount = closed({ Status: RunStatus, ActivityId: Id, Name: Type.String(), Runs: Type.Integer() });
export type FailureCount = Static<typeof FailureCount>;

export const SystemState = closed({
  Maintenance: nullable(Type.String()),
  Servers: Type.Array(ServerItem),
  Queue: closed({
    Queued: Type.Integer(),
    Running: Type.Integer(),
    Waiting: Type.Integer(),
    OldestSeconds: Type.Number(),
    LateSchedules: Type.Integer(),
  }),
  Pools: Type.Array(PoolItem),
  /** How many of the newest runs the next two say something of, and since when these are. */
  LookedAt: closed({ Runs: Type.Integer(), Since: nullable(Timestamp) }),
  /** Slowest first. */
  Activities: Type.Array(ActivityTimes),
  /** Most frequent first. */
  Failures: Type.Array(FailureCount),
});
export type SystemState = Static<typeof SystemState>;

export const systemState = get('/api/admin/system', {
  access: userAdmin,
  summary: 'Servers, queue, slow activities and failures',
  parts: { result: SystemState },
});

export const Maintenance = closed({
  /** What people are told; null while there is none. */
  Text: nullable(Type.String()),
});

export const maintenance = get('/api/maintenance', {
  access: signedIn,
  summary: 'What people are told while the portal is being maintained',
  parts: { result: Maintenance },
});

export const setMaintenance = post('/api/admin/maintenance', {
  access: userAdmin,
  summary: 'Begin maintenance, with a text for people, or end it',
  parts: {
    body: closed({ Text: nullable(Type.String({ minLength: 1, maxLength: MAINTENANCE_TEXT_MAX })) }),
    result: Maintenance,
  },
});

export const drainServer = post('/api/admin/system/drain', {
  access: userAdmin,
  summary: 'Let a server take no more runs and answer not ready, or take that back',
  parts: {
    body: closed({ ServerId: Type.String({ minLength: 1, maxLength: 36 }), Drain: Type.Boolean() }),
    result: closed({ IsDrainAsked: Type.Boolean() }),
  },
});

/** Times in seconds, of the runs that were queued in a period and have ended. */
export const TrendPeriod = closed({
  /** Its beginning. */
  Time: Timestamp,
  Runs: Type.Integer(),
  P50: Type.Number(),
  P95: Type.Number(),
  P99: Type.Number(),
});

export const ActivityTrend = closed({
  /** That were looked at: the newest of the activity. */
  Runs: Type.Integer(),
  /** Whether there are older ones beside them. */
  HasOlder: Type.Boolean(),
  /** Seconds that each period is long. */
  PeriodSeconds: Type.Integer(),
  /** In the order of time; those without runs are left out. */
  Periods: Type.Array(TrendPeriod),
});
export type ActivityTrend = Static<typeof ActivityTrend>;

export const activityTrend = get('/api/admin/system/trend/:id', {
  access: userAdmin,
  summary: 'How long the newest runs of an activity took, over time',
  parts: { params: IdParams, result: ActivityTrend },
});

/** What the newest runs of an activity have stored: files and values of their inputs and outputs. */
export const ActivityGrowth = closed({
  ActivityId: Id,
  Name: Type.String(),
  Runs: Type.Integer(),
  Bytes: Type.Integer(),
  /** Null where too little is known. */
  PerDay: nullable(Type.Number()),
});
export type ActivityGrowth = Static<typeof ActivityGrowth>;

export const StorageGrowth = closed({
  /** Since when; null where there are no runs. */
  Since: nullable(Timestamp),
  /** How many runs that are, at most 50,000 of the last 30 days. */
  Runs: Type.Integer(),
  /** Of all activities together. */
  Bytes: Type.Integer(),
  PerDay: nullable(Type.Number()),
  /** Free on the disk of the data folder of the server that answers; null where the files lie in a bucket. */
  FreeBytes: nullable(Type.Integer()),
  /** Those that stored most first, twenty at most. */
  Activities: Type.Array(ActivityGrowth),
  /** Seconds that each period is long. */
  PeriodSeconds: Type.Integer(),
  /** In the order of time; those in which nothing ran are left out. */
  Periods: Type.Array(closed({ Time: Timestamp, Bytes: Type.Integer() })),
});
export type StorageGrowth = Static<typeof StorageGrowth>;

export const storageGrowth = get('/api/admin/system/storage', {
  access: userAdmin,
  summary: 'What the newest runs have stored a day, by activity',
  parts: { result: StorageGrowth },
});
