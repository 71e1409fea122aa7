/** Runs from programs: start one, so that it is one run whatever happens on the way, and wait for its end. */
import { listActivities, activityDetails, type Activity } from '../contract/activities.ts';
import { uploadFiles } from '../contract/files.ts';
import type { Output, RunInputValue } from '../contract/parameters.ts';
import { isPending, type LogEntry, type RunStatus } from '../contract/run-status.ts';
import { runState, startRun } from '../contract/runs.ts';
import type { FormFile } from '../codecs/input-form.ts';
import { CallFailure, type Client } from './client.ts';

/** Seconds for which one call waits: the longest that the server does. */
const CALL_WAIT = 50;
/** Milliseconds until the first and the last attempts after a failure of the network. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;

export interface WaitOptions {
  signal?: AbortSignal;
  /** Seconds for which a portal that is not reached is asked again before the call gives up; 60 where absent. */
  patience?: number;
  /** Called with entries of the log as they come. */
  onLog?: (entries: readonly LogEntry[]) => void;
}

export interface EndedRun {
  Id: number;
  Status: RunStatus;
  Outputs: Output[];
  LogEntries: LogEntry[];
}

/** The activity of a number, or of a name that only one has; 'Schema/Name' where several have it. Throws CallFailure where there is none. */
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
 * Starts a run and answers its number. Where the answer is lost, the same start is sent again: its UniqueId makes it one run. Once it gives up nobody
 * knows whether there is a run; the same `uniqueId` later finds out.
 */
export async function startActivity(
  client: Client,
  activity: Pick<Activity, 'Id' | 'Version'>,
  Inputs: RunInputValue[],
  options: Pick<WaitOptions, 'signal' | 'patience'> & { uniqueId?: string } = {},
): Promise<{ Id: number; Status: RunStatus }> {
  const { uniqueId: UniqueId = crypto.randomUUID(), ...patient } = options;
  const body = { ActivityId: activity.Id, ActivityVersion: activity.Version, UniqueId, Inputs };
  return patiently(patient, () => client.call(startRun, { body, signal: options.signal }));
}

/** Waits until a run has ended. Throws CallFailure where it cannot be asked, or the reason of the signal. */
export async function waitForRun(client: Client, runId: number, options: WaitOptions = {}): Promise<EndedRun> {
  let told = 0;
  for (;;) {
    const asked = Date.now();
    const state = await patiently(options, () =>
      client.call(runState, {
        params: { id: runId },
        body: [],
        headers: { prefer: `wait=${CALL_WAIT}` },
        signal: options.signal,
      }),
    );
    const news = state.LogEntries.filter(({ Id }) => Id > told);
    told = Math.max(told, ...news.map(({ Id }) => Id));
    if (news.length > 0) options.onLog?.(news);
    if (!isPending(state.Status)) {
      return { Id: runId, Status: state.Status, Outputs: state.Outputs, LogEntries: state.LogEntries };
    }
    // A server that does not wait, as too many do already, is not asked more often than each second.
    await pause(1000 - (Date.now() - asked), options.signal);
  }
}

/** Whether nobody knows what became of a call: no answer came, or that of a proxy whose server is away. */
const isLost = (error: unknown): boolean =>
  error instanceof CallFailure && [0, 429, 502, 503, 504].includes(error.status);

async function patiently<T>({ patience = 60, signal }: WaitOptions, attempt: () => Promise<T>): Promise<T> {
  const end = Date.now() + patience * 1000;
  for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
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
