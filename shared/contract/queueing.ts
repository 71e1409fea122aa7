/** How runs of an activity wait: for which servers, before whom, and how many of them run at once. */
import { Type, type Static } from 'typebox';
import { closed, get, IdParams, nullable, post, Timestamp, userAdmin } from './endpoint.ts';

export const DEFAULT_POOL = 'default';
export const POOL_NAME_MAX = 30;
/** What a server may name, and an activity may need. */
export const POOL_NAME = /^[a-z0-9][a-z0-9._-]{0,29}$/;
export const PoolName = Type.String({ pattern: POOL_NAME.source });

export const Priority = Type.Enum(['High', 'Normal', 'Low']);
export type Priority = Static<typeof Priority>;

export const RUNS_AT_ONCE_MAX = 10_000;

export const Queueing = closed({
  Pool: PoolName,
  Priority,
  /** Of the activity, on all servers together; null where there is no limit. */
  RunsAtOnce: nullable(Type.Integer({ minimum: 1, maximum: RUNS_AT_ONCE_MAX })),
});
export type Queueing = Static<typeof Queueing>;

/** As they are stored with an activity. */
export interface QueueingColumns {
  Pool: string;
  Priority: Priority;
  /** 0 where there is no limit. */
  RunsAtOnce: number;
}

/** A pool that servers serve, activities need or runs wait for. */
export const PoolItem = closed({
  Pool: Type.String(),
  /** That carry out its runs and are alive. */
  Servers: Type.Integer(),
  /** Activities that need it. */
  Activities: Type.Integer(),
  Queued: Type.Integer(),
  Running: Type.Integer(),
  /** Since when the oldest run waits; null where none does. */
  OldestTime: nullable(Timestamp),
});
export type PoolItem = Static<typeof PoolItem>;

export const activityQueueing = get('/api/activities/queueing/:id', {
  access: userAdmin,
  summary: 'For which servers, before whom and how many at once the runs of an activity wait',
  parts: {
    params: IdParams,
    result: closed({
      Queueing,
      /** All that servers serve, activities need or runs wait for. */
      Pools: Type.Array(Type.String()),
    }),
  },
});

export const setActivityQueueing = post('/api/activities/queueing/:id', {
  access: userAdmin,
  summary: 'Set the pool, the priority and the limit of the runs of an activity',
  parts: { params: IdParams, body: Queueing, result: Queueing },
});
