/** What administrators see of the servers and the work they do, and maintenance mode. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, nullable, post, signedIn, Timestamp, userAdmin } from './endpoint.ts';
import { PoolItem } from './queueing.ts';
import { RunStatus } from './run-status.ts';

export const MAINTENANCE_TEXT_MAX = 500;
/** A server that has told nothing of itself for so long is shown as gone. Seconds. */
export const SERVER_GONE_SECONDS = 20;

export const ServerItem = closed({
  Name: Type.String(),
  Version: Type.String(),
  Role: Type.String(),
  StartedTime: Timestamp,
  LastTime: Timestamp,
  IsGone: Type.Boolean(),
  IsDraining: Type.Boolean(),
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
