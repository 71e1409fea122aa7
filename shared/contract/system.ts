/** What administrators see of the servers and their load, and maintenance mode. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, nullable, post, signedIn, Timestamp, userAdmin } from './endpoint.ts';
import { PoolItem } from './queueing.ts';
import { RunStatus } from './run-status.ts';

export const MAINTENANCE_TEXT_MAX = 500;
/** Seconds without a heartbeat after which a server is shown as gone. */
export const SERVER_GONE_SECONDS = 20;

export const ServerItem = closed({
  /** Generated at each start. */
  ServerId: Type.String(),
  Name: Type.String(),
  Version: Type.String(),
  Role: Type.String(),
  StartedTime: Timestamp,
  LastTime: Timestamp,
  IsGone: Type.Boolean(),
  /** True if it accepts no runs, because it is about to stop or an administrator drains it. */
  IsDraining: Type.Boolean(),
  /** True if an administrator asked it to drain; the server reacts within seconds. */
  IsDrainAsked: Type.Boolean(),
  /** Number of runs that it currently executes. */
  Runs: Type.Integer(),
  Threads: Type.Integer(),
  BusyThreads: Type.Integer(),
  MemoryMb: Type.Integer(),
  /** Number of processors it uses, such as 1.5. */
  Processors: Type.Number(),
  /** Pools whose runs it executes; empty for a server that only answers calls. */
  Pools: Type.Array(Type.String()),
});
export type ServerItem = Static<typeof ServerItem>;

const Seconds = nullable(Type.Number());

/** Durations of an activity's runs, over the examined runs. In seconds; null if no run has such a time. */
export const ActivityTimes = closed({
  ActivityId: Id,
  Name: Type.String(),
  Runs: Type.Integer(),
  Failed: Type.Integer(),
  P50: Seconds,
  P95: Seconds,
  P99: Seconds,
  WaitingP95: Seconds,
  /** For the older half of these runs; null if either half is too small to be meaningful. */
  OlderP95: Seconds,
  /** For the newer half; null under the same condition. */
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
  /** Number of newest runs that Activities and Failures are based on, and the time of the oldest of them. */
  LookedAt: closed({ Runs: Type.Integer(), Since: nullable(Timestamp) }),
  /** Slowest first. */
  Activities: Type.Array(ActivityTimes),
  /** Most frequent first. */
  Failures: Type.Array(FailureCount),
});
export type SystemState = Static<typeof SystemState>;

export const systemState = get('/api/admin/system', {
  access: userAdmin,
  summary: 'Get the servers, the queue, slow activities and failures',
  parts: { result: SystemState },
});

export const Maintenance = closed({
  /** Text shown to users; null while there is no maintenance. */
  Text: nullable(Type.String()),
});

export const maintenance = get('/api/maintenance', {
  access: signedIn,
  summary: 'Get the maintenance message of the portal',
  parts: { result: Maintenance },
});

export const setMaintenance = post('/api/admin/maintenance', {
  access: userAdmin,
  summary: 'Start maintenance with a message to users, or end it',
  parts: {
    body: closed({ Text: nullable(Type.String({ minLength: 1, maxLength: MAINTENANCE_TEXT_MAX })) }),
    result: Maintenance,
  },
});

export const drainServer = post('/api/admin/system/drain', {
  access: userAdmin,
  summary: 'Drain a server, so that it accepts no more runs and responds as not ready, or undo that',
  parts: {
    body: closed({ ServerId: Type.String({ minLength: 1, maxLength: 36 }), Drain: Type.Boolean() }),
    result: closed({ IsDrainAsked: Type.Boolean() }),
  },
});

/** Times in seconds, over the runs that were queued in a period and have ended. */
export const TrendPeriod = closed({
  /** Start of the period. */
  Time: Timestamp,
  Runs: Type.Integer(),
  P50: Type.Number(),
  P95: Type.Number(),
  P99: Type.Number(),
});

export const ActivityTrend = closed({
  /** Number of examined runs: the newest of the activity. */
  Runs: Type.Integer(),
  /** True if there are older runs that were not examined. */
  HasOlder: Type.Boolean(),
  /** Length of each period in seconds. */
  PeriodSeconds: Type.Integer(),
  /** In chronological order; periods without runs are omitted. */
  Periods: Type.Array(TrendPeriod),
});
export type ActivityTrend = Static<typeof ActivityTrend>;

export const activityTrend = get('/api/admin/system/trend/:id', {
  access: userAdmin,
  summary: 'Get the durations of the newest runs of an activity over time',
  parts: { params: IdParams, result: ActivityTrend },
});

/** Storage added by the newest runs of an activity: files and values of their inputs and outputs. */
export const ActivityGrowth = closed({
  ActivityId: Id,
  Name: Type.String(),
  Runs: Type.Integer(),
  Bytes: Type.Integer(),
  /** Null if there is too little data. */
  PerDay: nullable(Type.Number()),
});
export type ActivityGrowth = Static<typeof ActivityGrowth>;

export const StorageGrowth = closed({
  /** Start of the examined time; null if there are no runs. */
  Since: nullable(Timestamp),
  /** Number of runs examined: at most 50,000, of the last 30 days. */
  Runs: Type.Integer(),
  /** Sum over all activities. */
  Bytes: Type.Integer(),
  PerDay: nullable(Type.Number()),
  /** Free space on the disk of the data folder of the answering server; null if the files are stored in a bucket. */
  FreeBytes: nullable(Type.Integer()),
  /** The 20 activities that stored most, in descending order. */
  Activities: Type.Array(ActivityGrowth),
  /** Length of each period in seconds. */
  PeriodSeconds: Type.Integer(),
  /** In chronological order; periods without runs are omitted. */
  Periods: Type.Array(closed({ Time: Timestamp, Bytes: Type.Integer() })),
});
export type StorageGrowth = Static<typeof StorageGrowth>;

export const storageGrowth = get('/api/admin/system/storage', {
  access: userAdmin,
  summary: 'Get how much the newest runs have stored per day, by activity',
  parts: { result: StorageGrowth },
});
