/** Runs for programs: starts a run exactly once despite network failures, and waits for its end. */
import { listActivities, activityDetails, type Activity } from '../contract/activities.ts';
import { uploadFiles } from '../contract/files.ts';
import { MAX_PREFERRED_WAIT_SECONDS } from '../contract/headers.ts';
import type { Output, RunInputValue } from '../contract/parameters.ts';
import { isPending, type LogEntry, type RunStatus } from '../contract/run-status.ts';
import { runState, startRun, type RunState } from '../contract/runs.ts';
import type { FormFile } from '../codecs/input-form.ts';
import { CallFailure, type Client } from './client.ts';

/** A server may return immediately because too many calls wait already; it is then polled at this interval. */
const MIN_POLL_INTERVAL_MS = 1000;
/** Milliseconds before the first retry after a network failure, and the maximum between later ones. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;

interface RetryOptions {
  signal?: AbortSignal;
  /** Seconds for which an unreachable portal is retried before the call gives up; 60 if absent. */
  patience?: number;
}

export interface WatchOptions extends RetryOptions {
  /** Seconds that one call waits for the end, and thus between two states; 50 if absent. */
  callWait?: number;
  /** Called with each state of the pending run; with null whenever the portal is not reached. */
  onState?: (state: RunState | null) => void;
}

export interface WaitOptions extends RetryOptions {
  /** Called with new log entries as they arrive. */
  onLog?: (entries: readonly LogEntry[]) => void;
}

export interface EndedRun {
  Id: number;
  Status: RunStatus;
  Outputs: Output[];
  LogEntries: LogEntry[];
}

/**
 * Returns the activity with an id or a unique name; 'Schema/Name' if several have the name. Throws CallFailure if there
 * is none (404) or if several match (409).
 */
export async function findActivity(client: Client, which: string, signal?: AbortSignal): Promise<Activity> {
  if (/^\d+$/.test(which)) return client.call(activityDetails, { params: { id: Number(which) }, signal });
  const { Activities } = await client.call(listActivities, { signal });
  const named = Activities.filter(({ Name, Schema }) =>
    [Name, `${Schema}/${Name}`].some((name) => isSame(name, which)),
  );
  const [found] = named;
  if (!found) throw new CallFailure(`There is no activity "${which}" that you may see`, { status: 404 });
  if (named.length > 1) {
    const all = named.map(({ Id, Schema, Name }) => `${Id} (${Schema}/${Name})`).join(', ');
    throw new CallFailure(`Several activities are called "${which}": ${all}`, { status: 409 });
  }
  return client.call(activityDetails, { params: { id: found.Id }, signal });
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Uploads a file for an input of an activity. */
export async function uploadInputFile(
  client: Client,
  inputId: number,
  file: { name: string; content: Blob },
  signal?: AbortSignal,
): Promise<FormFile> {
  const form = new FormData();
  form.set('ActivityInputId', String(inputId));
  form.set('LinkId', '');
  form.append('file', file.content, file.name);
  const { Items } = await client.upload(uploadFiles, form, { signal });
  return { FileId: Items[0]!.Id, FileName: Items[0]!.Name };
}

/**
 * Starts a run and returns its id. If the response is lost, the same start is sent again; its UniqueId ensures that
 * there is only one run. After it gives up, it is unknown whether the run exists; a later call with the same `uniqueId`
 * finds out.
 */
export async function startActivity(
  client: Client,
  activity: Pick<Activity, 'Id' | 'Version'>,
  Inputs: RunInputValue[],
  options: RetryOptions & { uniqueId?: string } = {},
): Promise<{ Id: number; Status: RunStatus }> {
  const { uniqueId: UniqueId = crypto.randomUUID(), ...retryOptions } = options;
  const body = { ActivityId: activity.Id, ActivityVersion: activity.Version, UniqueId, Inputs };
  return retryUntilAnswered(retryOptions, () => client.call(startRun, { body, signal: options.signal }));
}

/** Waits until a run has ended. Throws CallFailure if the run cannot be queried, or the reason of the signal. */
export async function waitForRun(
  client: Client,
  runId: number,
  { onLog, ...retryOptions }: WaitOptions = {},
): Promise<EndedRun> {
  let lastEntryId = 0;
  const reportNewEntries = (entries: readonly LogEntry[]): void => {
    const newEntries = entries.filter(({ Id }) => Id > lastEntryId);
    lastEntryId = Math.max(lastEntryId, ...newEntries.map(({ Id }) => Id));
    if (newEntries.length > 0) onLog?.(newEntries);
  };
  const onState = (state: RunState | null): void => reportNewEntries(state?.LogEntries ?? []);
  const { Status, Outputs, LogEntries } = await watchRun(client, runId, { ...retryOptions, onState });
  reportNewEntries(LogEntries);
  return { Id: runId, Status, Outputs, LogEntries };
}

/** Watches a run until it has ended, and returns its final state. Throws as waitForRun does. */
export async function watchRun(
  client: Client,
  runId: number,
  { callWait = MAX_PREFERRED_WAIT_SECONDS, onState, ...retryOptions }: WatchOptions = {},
): Promise<RunState> {
  const { signal } = retryOptions;
  const headers = { prefer: `wait=${callWait}` };
  for (;;) {
    const askedAt = Date.now();
    const state = await retryUntilAnswered(
      retryOptions,
      () => client.call(runState, { params: { id: runId }, body: [], headers, signal }),
      () => onState?.(null),
    );
    if (!isPending(state.Status)) return state;
    onState?.(state);
    await pause(MIN_POLL_INTERVAL_MS - (Date.now() - askedAt), signal);
  }
}

/**
 * Returns whether the result of a call is unknown or temporary: no response arrived, or a proxy responded in place of
 * an unreachable server.
 */
const isLost = (error: unknown): boolean =>
  error instanceof CallFailure && [0, 429, 502, 503, 504].includes(error.status);

async function retryUntilAnswered<T>(
  { patience = 60, signal }: RetryOptions,
  attempt: () => Promise<T>,
  onLost = (): void => {},
): Promise<T> {
  const end = Date.now() + patience * 1000;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLost(error) || Date.now() + wait > end) throw error;
      onLost();
    }
    await pause(wait, signal);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, ms);
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    signal?.addEventListener('abort', leave, { once: true });
  });
}
