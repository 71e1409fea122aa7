/** Runs for programs: starts a run exactly once despite network failures, and waits for its end. */
import { listActivities, activityDetails, type Activity } from '../contract/activities.ts';
import { uploadFiles } from '../contract/files.ts';
import type { Output, RunInputValue } from '../contract/parameters.ts';
import { isPending, type LogEntry, type RunStatus } from '../contract/run-status.ts';
import { runState, startRun } from '../contract/runs.ts';
import type { FormFile } from '../codecs/input-form.ts';
import { CallFailure, type Client } from './client.ts';

/** Seconds that one call waits: the server's maximum. */
const CALL_WAIT = 50;
/** Milliseconds before the first retry after a network failure, and the maximum between later ones. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;

export interface WaitOptions {
  signal?: AbortSignal;
  /** Seconds for which an unreachable portal is retried before the call gives up; 60 if absent. */
  patience?: number;
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
  options: Pick<WaitOptions, 'signal' | 'patience'> & { uniqueId?: string } = {},
): Promise<{ Id: number; Status: RunStatus }> {
  const { uniqueId: UniqueId = crypto.randomUUID(), ...waitOptions } = options;
  const body = { ActivityId: activity.Id, ActivityVersion: activity.Version, UniqueId, Inputs };
  return retryUntilAnswered(waitOptions, () => client.call(startRun, { body, signal: options.signal }));
}

/** Waits until a run has ended. Throws CallFailure if the run cannot be queried, or the reason of the signal. */
export async function waitForRun(client: Client, runId: number, options: WaitOptions = {}): Promise<EndedRun> {
  let lastEntryId = 0;
  for (;;) {
    const asked = Date.now();
    const state = await retryUntilAnswered(options, () =>
      client.call(runState, {
        params: { id: runId },
        body: [],
        headers: { prefer: `wait=${CALL_WAIT}` },
        signal: options.signal,
      }),
    );
    const newEntries = state.LogEntries.filter(({ Id }) => Id > lastEntryId);
    lastEntryId = Math.max(lastEntryId, ...newEntries.map(({ Id }) => Id));
    if (newEntries.length > 0) options.onLog?.(newEntries);
    if (!isPending(state.Status)) {
      return { Id: runId, Status: state.Status, Outputs: state.Outputs, LogEntries: state.LogEntries };
    }
    // A server may return immediately because too many calls wait already; it is then polled at most once per second.
    await pause(1000 - (Date.now() - asked), options.signal);
  }
}

/**
 * Returns whether the result of a call is unknown or temporary: no response arrived, or a proxy responded in place of
 * an unreachable server.
 */
const isLost = (error: unknown): boolean =>
  error instanceof CallFailure && [0, 429, 502, 503, 504].includes(error.status);

async function retryUntilAnswered<T>({ patience = 60, signal }: WaitOptions, attempt: () => Promise<T>): Promise<T> {
  const end = Date.now() + patience * 1000;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLost(error) || Date.now() + wait > end) throw error;
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
