/**
 * The page's single event stream. Screens register the runs that they watch. While the stream reports a run, screens do
 * not poll it. While the stream is down, they poll every second.
 */
import { create } from 'zustand';
import {
  LIVE_HEARTBEAT,
  LIVE_RUNS_MAX,
  liveEvents,
  type WorkflowRunEvent,
  type NotificationsEvent,
  type RunEvent,
  type VersionEvent,
} from '#shared/contract/live.ts';
import { notifications } from '#shared/contract/notifications.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { runState } from '#shared/contract/runs.ts';
import { isOver } from '#renderer/features/runs/status/run-watch.ts';
import { readEvents, type ServerEvent } from '#renderer/api/event-stream.ts';
import { openStream } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';

interface LiveState {
  /** True if the open stream reports notifications. */
  isOpen: boolean;
  /** Runs that the open stream has reported. */
  runs: ReadonlySet<number>;
  /** Runs of checklists and workflows that it has reported, each with the number of events and the last status. */
  workflowRuns: ReadonlyMap<number, LiveWorkflowRun>;
  /** Number of events that reported changes of any run. */
  runChanges: number;
  /** The newest activity versions that it has reported. */
  versions: ReadonlyMap<number, number>;
}

export interface LiveWorkflowRun {
  times: number;
  Status: RunStatus;
}

const CUT: Omit<LiveState, 'runChanges'> = {
  isOpen: false,
  runs: new Set(),
  workflowRuns: new Map(),
  versions: new Map(),
};
export const useLive = create<LiveState>(() => ({ ...CUT, runChanges: 0 }));

/** A stream that is silent for this long is considered broken. */
const SILENCE = LIVE_HEARTBEAT * 2.5;
const RETRY = { first: 1000, last: 30_000 };

type Kind = 'runs' | 'chains' | 'activities';
/** Watched runs and activities, each with its number of watchers. */
const watched: Record<Kind, Map<number, number>> = { runs: new Map(), chains: new Map(), activities: new Map() };
const NONE: Record<Kind, ReadonlySet<number>> = { runs: new Set(), chains: new Set(), activities: new Set() };
/** The runs and activities for which the stream was opened. */
let following = NONE;
let isWanted = false;
/** Number of screens that show changes of any run, and whether the stream was opened for them. */
let watchersOfAll = 0;
let isFollowingAll = false;
/** True if a stream for changes of any run has ended: the next one does not report what changed in between. */
let mayHaveMissedRuns = false;
let current: AbortController | undefined;
let next: number | undefined;
let wait = RETRY.first;

/**
 * Subscribes to a run of an activity or checklist, or to the versions of an activity. Returns a function that
 * unsubscribes.
 */
export function watch(kind: Kind, id: number): () => void {
  const all = watched[kind];
  all.set(id, (all.get(id) ?? 0) + 1);
  if (!following[kind].has(id)) reopen();
  return () => {
    const left = (all.get(id) ?? 1) - 1;
    if (left > 0) all.set(id, left);
    else all.delete(id);
    // Events of unwatched runs do no harm, so the stream stays open until something new is watched.
  };
}

/** Subscribes to changes of any run that the user may see. Returns a function that unsubscribes. */
export function watchAll(): () => void {
  watchersOfAll += 1;
  if (!isFollowingAll) reopen();
  return () => {
    watchersOfAll -= 1;
  };
}

/** Keeps a stream open while the page is visible. Call it with false when the session ends or the page is hidden. */
export function wantStream(wanted: boolean): void {
  isWanted = wanted;
  reopen();
}

/**
 * Closes the stream and opens a new one for everything that is watched by then. It waits for the current task, so that
 * simultaneous changes open only one stream.
 */
function reopen(after = 0): void {
  window.clearTimeout(next);
  next = window.setTimeout(() => {
    current?.abort();
    current = undefined;
    endFollowing();
    useLive.setState(CUT);
    if (!isWanted) return;
    current = new AbortController();
    void follow(current);
  }, after);
}

function endFollowing(): void {
  following = NONE;
  mayHaveMissedRuns ||= isFollowingAll;
  isFollowingAll = false;
}

async function follow(stream: AbortController): Promise<void> {
  const newest = (kind: Kind): Set<number> => new Set([...watched[kind].keys()].slice(-LIVE_RUNS_MAX));
  following = { runs: newest('runs'), chains: newest('chains'), activities: newest('activities') };
  isFollowingAll = watchersOfAll > 0;
  const named = Object.entries(following).flatMap(([kind, ids]) =>
    ids.size === 0 ? [] : [[kind, [...ids].join(',')]],
  );
  try {
    const body = await openStream(liveEvents, {
      query: { ...Object.fromEntries(named), ...(isFollowingAll ? { all: true } : {}) },
      signal: stream.signal,
    });
    const isCurrent = (): boolean => current === stream;
    await readEvents(body, {
      silence: SILENCE,
      onSign: () => (wait = RETRY.first),
      onEvent: (event) => isCurrent() && take(event),
    });
  } catch {
    // Ignore the cause: screens poll until the next attempt succeeds.
  }
  if (current !== stream) return;
  endFollowing();
  reopen(wait * (0.75 + Math.random() / 2));
  useLive.setState(CUT);
  wait = Math.min(wait * 2, RETRY.last);
}

function take({ type, data }: ServerEvent): void {
  if (type === 'notifications') {
    const isFirst = !useLive.getState().isOpen;
    useLive.setState({ isOpen: true });
    if (isFirst) catchUp();
    const { Count } = JSON.parse(data) as NotificationsEvent;
    // The first event may report what is already known.
    if (!isFirst || Count !== knownCount()) void queryClient.invalidateQueries({ queryKey: keyOf(notifications) });
  }
  if (type === 'chain') {
    const { Id, Status } = JSON.parse(data) as WorkflowRunEvent;
    useLive.setState(({ workflowRuns }) => ({
      workflowRuns: new Map([...workflowRuns, [Id, { times: (workflowRuns.get(Id)?.times ?? 0) + 1, Status }]]),
    }));
  }
  if (type === 'runs') useLive.setState(({ runChanges }) => ({ runChanges: runChanges + 1 }));
  if (type === 'version') {
    const { Id, Version } = JSON.parse(data) as VersionEvent;
    useLive.setState(({ versions }) => ({ versions: new Map([...versions, [Id, Version]]) }));
  }
  if (type !== 'run') return;
  const { Id, State } = JSON.parse(data) as RunEvent;
  queryClient.setQueryData(runStateQuery(Id).queryKey, State);
  // The server stops reporting ended runs. Watching such a run again, for example after a retry, needs a new stream.
  const isReported = !isOver(State);
  if (!isReported) following = { ...following, runs: without(following.runs, Id) };
  useLive.setState(({ runs }) => ({ runs: isReported ? new Set([...runs, Id]) : without(runs, Id) }));
}

/** Reports a change of runs after a gap between two streams, if a screen showed runs all the time. */
function catchUp(): void {
  if (isFollowingAll && mayHaveMissedRuns) useLive.setState(({ runChanges }) => ({ runChanges: runChanges + 1 }));
  mayHaveMissedRuns = false;
}

const without = (ids: ReadonlySet<number>, id: number): Set<number> => new Set([...ids].filter((one) => one !== id));

function knownCount(): number | undefined {
  const known = queryClient.getQueryData<{ pages: { Count: number }[] }>(keyOf(notifications));
  return known?.pages[0]?.Count;
}

/** Query for the state of a run. Stream events update the same cache entry. */
export const runStateQuery = (id: number) => queryOf(runState, { params: { id }, body: [], polls: true });
