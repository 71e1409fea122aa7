/**
 * The page's one stream of events. Screens say which runs they watch; while the stream tells of a run nobody has to ask, and when it
 * is cut the screens ask each second again, until it is back.
 */
import { create } from 'zustand';
import {
  LIVE_HEARTBEAT,
  LIVE_RUNS_MAX,
  liveEvents,
  type ChainEvent,
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
  /** Whether the stream that is open tells of notifications. */
  isOpen: boolean;
  /** Runs that the stream that is open has told of. */
  runs: ReadonlySet<number>;
  /** Runs of checklists that it tells of, each with how often it has and how the run stood then. */
  chains: ReadonlyMap<number, ToldChain>;
  /** The newest versions of activities that it has told of. */
  versions: ReadonlyMap<number, number>;
}

export interface ToldChain {
  times: number;
  Status: RunStatus;
}

const CUT: LiveState = { isOpen: false, runs: new Set(), chains: new Map(), versions: new Map() };
export const useLive = create<LiveState>(() => CUT);

/** A stream that says nothing for so long has been cut without a word. */
const SILENCE = LIVE_HEARTBEAT * 2.5;
const RETRY = { first: 1000, last: 30_000 };

type Kind = 'runs' | 'chains' | 'activities';
/** The runs and activities watched, by how many parts of the screen. */
const watched: Record<Kind, Map<number, number>> = { runs: new Map(), chains: new Map(), activities: new Map() };
const NONE: Record<Kind, ReadonlySet<number>> = { runs: new Set(), chains: new Set(), activities: new Set() };
/** Those that the stream was opened for. */
let following = NONE;
let isWanted = false;
let current: AbortController | undefined;
let next: number | undefined;
let wait = RETRY.first;

/** Has the stream tell of a run of an activity or of a checklist, or of the versions of an activity; answers how to stop that. */
export function watch(kind: Kind, id: number): () => void {
  const all = watched[kind];
  all.set(id, (all.get(id) ?? 0) + 1);
  if (!following[kind].has(id)) reopen();
  return () => {
    const left = (all.get(id) ?? 1) - 1;
    if (left > 0) all.set(id, left);
    else all.delete(id);
    // What is told of a run that nobody watches does no harm: the stream stays until another is wanted.
  };
}

/** Keeps a stream open while the page is in view; to be called with false when the session ends, or nobody looks. */
export function wantStream(wanted: boolean): void {
  isWanted = wanted;
  reopen();
}

/** Ends the stream, and begins another, for what is wanted by now, after all that happens in the same moment. */
export function reopen(after = 0): void {
  window.clearTimeout(next);
  next = window.setTimeout(() => {
    current?.abort();
    current = undefined;
    following = NONE;
    useLive.setState(CUT);
    if (!isWanted) return;
    current = new AbortController();
    void follow(current);
  }, after);
}

async function follow(stream: AbortController): Promise<void> {
  const newest = (kind: Kind): Set<number> => new Set([...watched[kind].keys()].slice(-LIVE_RUNS_MAX));
  following = { runs: newest('runs'), chains: newest('chains'), activities: newest('activities') };
  const named = Object.entries(following).flatMap(([kind, ids]) =>
    ids.size === 0 ? [] : [[kind, [...ids].join(',')]],
  );
  try {
    const body = await openStream(liveEvents, { query: Object.fromEntries(named), signal: stream.signal });
    const isCurrent = (): boolean => current === stream;
    await readEvents(body, {
      silence: SILENCE,
      onSign: () => (wait = RETRY.first),
      onEvent: (event) => isCurrent() && take(event),
    });
  } catch {
    // Whatever it was, the screens ask by themselves until the next attempt has succeeded.
  }
  if (current !== stream) return;
  following = NONE;
  reopen(wait * (0.75 + Math.random() / 2));
  useLive.setState(CUT);
  wait = Math.min(wait * 2, RETRY.last);
}

function take({ type, data }: ServerEvent): void {
  if (type === 'notifications') {
    const isFirst = !useLive.getState().isOpen;
    useLive.setState({ isOpen: true });
    const { Count } = JSON.parse(data) as NotificationsEvent;
    // The first tells what may be known already.
    if (!isFirst || Count !== knownCount()) void queryClient.invalidateQueries({ queryKey: keyOf(notifications) });
  }
  if (type === 'chain') {
    const { Id, Status } = JSON.parse(data) as ChainEvent;
    useLive.setState(({ chains }) => ({
      chains: new Map([...chains, [Id, { times: (chains.get(Id)?.times ?? 0) + 1, Status }]]),
    }));
  }
  if (type === 'version') {
    const { Id, Version } = JSON.parse(data) as VersionEvent;
    useLive.setState(({ versions }) => ({ versions: new Map([...versions, [Id, Version]]) }));
  }
  if (type !== 'run') return;
  const { Id, State } = JSON.parse(data) as RunEvent;
  queryClient.setQueryData(runStateQuery(Id).queryKey, State);
  // The server tells no more of a run that is over: whoever watches it again, as something of it is retried, needs another stream.
  const isTold = !isOver(State);
  if (!isTold) following = { ...following, runs: without(following.runs, Id) };
  useLive.setState(({ runs }) => ({ runs: isTold ? new Set([...runs, Id]) : without(runs, Id) }));
}

const without = (ids: ReadonlySet<number>, id: number): Set<number> => new Set([...ids].filter((one) => one !== id));

function knownCount(): number | undefined {
  const known = queryClient.getQueryData<{ pages: { Count: number }[] }>(keyOf(notifications));
  return known?.pages[0]?.Count;
}

/** How the state of a run is asked for; what the stream tells is put in the same place. */
export const runStateQuery = (id: number) => queryOf(runState, { params: { id }, body: [], polls: true });
