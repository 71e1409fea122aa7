/** How runs of an activity are queued: server pool, priority and concurrency limit. */
import { Type, type Static } from 'typebox';
import { closed, EditedRevision, get, IdParams, nullable, post, Revision, Timestamp, userAdmin } from './endpoint.ts';

export const DEFAULT_POOL = 'default';
export const POOL_NAME_MAX = 30;
/** Names of pools, which servers serve and activities require. */
export const POOL_NAME = /^[a-z0-9][a-z0-9._-]{0,29}$/;
export const PoolName = Type.String({ pattern: POOL_NAME.source });

export const Priority = Type.Enum(['High', 'Normal', 'Low']);
export type Priority = Static<typeof Priority>;

export const MAX_RUN_CONCURRENCY = 10_000;

export const Queueing = closed({
  Pool: PoolName,
  Priority,
  /** Maximum number of concurrent runs of the activity on all servers together; null for no limit. */
  RunsAtOnce: nullable(Type.Integer({ minimum: 1, maximum: MAX_RUN_CONCURRENCY })),
});
export type Queueing = Static<typeof Queueing>;

/** As stored with an activity. */
export interface QueueingColumns {
  Pool: string;
  Priority: Priority;
  /** 0 means no limit. */
  RunsAtOnce: number;
}

/** A pool that servers serve, activities require or runs wait for. */
export const PoolItem = closed({
  Pool: Type.String(),
  /** Number of live servers that execute its runs. */
  Servers: Type.Integer(),
  /** Number of activities that require it. */
  Activities: Type.Integer(),
  Queued: Type.Integer(),
  Running: Type.Integer(),
  /** Queue time of the oldest waiting run; null if none waits. */
  OldestTime: nullable(Timestamp),
});
export type PoolItem = Static<typeof PoolItem>;

export const activityQueueing = get('/api/activities/queueing/:id', {
  access: userAdmin,
  summary: 'Get the pool, the priority and the limit of the runs of an activity',
  parts: {
    params: IdParams,
    result: closed({
      Queueing,
      Revision,
      /** All pools that servers serve, activities require or runs wait for. */
      Pools: Type.Array(Type.String()),
    }),
  },
});

export const setActivityQueueing = post('/api/activities/queueing/:id', {
  access: userAdmin,
  summary: 'Set the pool, the priority and the limit of the runs of an activity',
  parts: {
    params: IdParams,
    body: closed({ ...Queueing.properties, Revision: EditedRevision }),
    result: Queueing,
  },
});
