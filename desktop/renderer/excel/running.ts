/** Runs an activity from the pane: starts it exactly once and watches it until it ends, despite connection failures. */
import { CallFailure } from '#shared/client/client.ts';
import { readInputs } from '#shared/client/inputs.ts';
import { startActivity, uploadInputFile } from '#shared/client/runs.ts';
import type { FormFile } from '#shared/codecs/input-form.ts';
import type { Activity } from '#shared/contract/activities.ts';
import { cancelRun, runState, type RunState } from '#shared/contract/runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { personRegion } from '#renderer/language/region.ts';
import { collectSuppliedValues, type Fields } from './fields.ts';
import { client, recordActivity } from './session.ts';

/** Seconds that one call waits for the end; also the interval of status updates. */
const CALL_WAIT = 2;
const PAUSE = 2000;
const KEY = 'runsheet.excel.run';

export interface WatchedRun {
  runId: number;
  activityId: number;
  activityName: string;
}

/** Uploads files, starts the activity and returns the run. Throws InputFailure or CallFailure. */
export async function start(activity: Activity, fields: Fields, uniqueId: string): Promise<WatchedRun> {
  const supplied: Record<string, unknown> = { ...collectSuppliedValues(activity, fields) };
  // Validates values before any file is uploaded.
  readInputs(activity, supplied as Parameters<typeof readInputs>[1], personRegion());
  for (const input of activity.Inputs) {
    const field = fields[input.Id];
    if (field?.kind !== 'files' || field.files.length === 0) continue;
    const files: FormFile[] = [];
    for (const file of field.files) files.push(await uploadInputFile(client, input.Id, file));
    supplied[input.Name] = files;
  }
  const inputs = readInputs(activity, supplied as Parameters<typeof readInputs>[1], personRegion());
  const { Id } = await startActivity(client, activity, inputs, { uniqueId });
  const run = { runId: Id, activityId: activity.Id, activityName: activity.Name };
  storeWatchedRun(run);
  return run;
}

/** Stores the watched run, so that a reloaded pane can continue to watch it. */
export function storeWatchedRun(run: WatchedRun | null): void {
  try {
    if (run === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(run));
  } catch {
    // Storage may be refused, as in session.ts: the run is then watched only while the pane is open.
  }
}

export function readWatchedRun(): WatchedRun | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as WatchedRun | null;
  } catch {
    return null;
  }
}

/**
 * Publishes the run's state until it ends, and returns the final state. Polls an unreachable portal until it responds.
 * Throws CallFailure if the portal refuses, or the reason of the signal.
 */
export async function watch(
  runId: number,
  onState: (state: RunState | null) => void,
  signal: AbortSignal,
): Promise<RunState> {
  for (;;) {
    recordActivity();
    const asked = Date.now();
    try {
      const headers = { prefer: `wait=${CALL_WAIT}` };
      const state = await client.call(runState, { params: { id: runId }, body: [], headers, signal });
      if (!isPending(state.Status)) return state;
      onState(state);
      // Limits the polling rate when a server returns immediately because too many calls wait already.
      await pause(PAUSE / 2 - (Date.now() - asked), signal);
    } catch (error) {
      if (!(error instanceof CallFailure) || ![0, 429, 502, 503, 504].includes(error.status)) throw error;
      onState(null);
      await pause(PAUSE, signal);
    }
  }
}

export const cancel = (runId: number) => client.call(cancelRun, { params: { runId } });

function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal.addEventListener('abort', leave, { once: true });
  });
}
