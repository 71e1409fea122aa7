/** Runs an activity from the pane: starts it exactly once and watches it until it ends, despite connection failures. */
import { readInputs } from '#shared/client/inputs.ts';
import { startActivity, uploadInputFile, watchRun } from '#shared/client/runs.ts';
import type { FormFile } from '#shared/codecs/input-form.ts';
import type { Activity } from '#shared/contract/activities.ts';
import { cancelRun, type RunState } from '#shared/contract/runs.ts';
import { personRegion } from '#renderer/language/region.ts';
import { collectSuppliedValues, type Fields } from './fields.ts';
import { client, recordActivity } from './session.ts';

/** Seconds between two updates of the shown state. */
const STATE_INTERVAL = 2;
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
 * Publishes the run's state until it ends, and returns the final state. Publishes null while the portal is unreachable,
 * which is retried without end. Throws CallFailure if the portal refuses, or the reason of the signal.
 */
export function watch(
  runId: number,
  onState: (state: RunState | null) => void,
  signal: AbortSignal,
): Promise<RunState> {
  recordActivity();
  return watchRun(client, runId, {
    signal,
    callWait: STATE_INTERVAL,
    patience: Infinity,
    onState: (state) => {
      recordActivity();
      onState(state);
    },
  });
}

export const cancel = (runId: number) => client.call(cancelRun, { params: { runId } });
