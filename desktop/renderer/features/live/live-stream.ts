/**
 * The page's one stream of events. Screens say which runs they watch; while the stream tells of a run nobody has to ask, and when it
 * is cut the screens ask each second again, until it is back.
 */
import { create } from 'zustand';
import {
  LIVE_HEARTBEAT,
  LIVE_RUNS_MAX,
  liveEvents,
  type NotificationsEvent,
  type RunEvent,
} from '#shared/contract/live.ts';
import { notifications } from '#shared/contract/notifications.ts';
import { runState } from '#shared/contract/runs.ts';
import { readEvents, type ServerEvent } from '#renderer/api/event-stream.ts';
import { openStream } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';

interface LiveState {
  /** Whether the stream that is open tells of notifications. */
  isOpen: boolean;
  /** Runs that the stream that is open has told of. */
  runs: ReadonlySet<number>;
}

const CUT: LiveState = { isOpen: false, runs: new Set() };
export const useLive = create<LiveState>(() => CUT);

/** A stream that says nothing for so long has been cut without a word. */
const SILENCE = LIVE_HEARTBEAT * 2.5;
const RETRY = { first: 1000, last: 30_000 };

/** The runs watched, by how many parts of the screen. */
const watched = new Map<number, number>();
/** Those that the stream was opened for. */
let following: ReadonlySet<number> = new Set();
let isWanted = false;
let current: AbortController | undefined;
let next: number | undefined;
let wait = RETRY.first;

/** Has the stream tell of a run; answers how to stop that. */
export function watchRun(id: number): () => void {
  watched.set(id, (watched.get(id) ?? 0) + 1);
  if (!following.has(id)) reopen();
  return () => {
    const left = (watched.get(id) ?? 1) - 1;
    if (left > 0) watched.set(id, left);
    else watched.delete(id);
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
    following = new Set();
    useLive.setState(CUT);
    if (!isWanted) return;
    current = new AbortController();
    void follow(current);
  }, after);
}

async function follow(stream: AbortController): Promise<void> {
  following = new Set([...watched.keys()].slice(-LIVE_RUNS_MAX));
  const runs = [...following].join(',');
  try {
    const body = await openStream(liveEvents, { query: runs === '' ? {} : { runs }, signal: stream.signal });
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
  following = new Set();
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
  if (type !== 'run') return;
  const { Id, State } = JSON.parse(data) as RunEvent;
  queryClient.setQueryData(runStateQuery(Id).queryKey, State);
  useLive.setState(({ runs }) => ({ runs: new Set([...runs, Id]) }));
}

function knownCount(): number | undefined {
  const known = queryClient.getQueryData<{ pages: { Count: number }[] }>(keyOf(notifications));
  return known?.pages[0]?.Count;
}

/** How the state of a run is asked for; what the stream tells is put in the same place. */
export const runStateQuery = (id: number) => queryOf(runState, { params: { id }, body: [], polls: true });
