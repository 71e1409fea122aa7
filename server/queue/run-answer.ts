/**
 * The response to a call that started a run and waited for its end in the process that executed it. It needs no
 * database query.
 */
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { ClaimedRun } from './claimed-run.ts';
import type { OutputRow, RunEnd } from './run-end.ts';

export interface RunAnswer {
  ActivityId: number;
  ActivityVersion: number;
  Status: RunStatus;
  EndTime: Date;
  outputs: readonly OutputRow[];
}

/**
 * Maximum total length of the outputs' texts, because responses of many runs are cached for a while. Longer outputs are
 * read again from the database.
 */
const MAX_CACHED_CHARACTERS = 2_000;

/**
 * Returns undefined if the run's end does not contain the whole response, or if the database did not return the end
 * time.
 */
export function answerOf(
  { ActivityId, ActivityVersion }: ClaimedRun,
  { status: Status, logs, hasLogged, starts, outputs }: RunEnd,
  EndTime: Date | null | undefined,
): RunAnswer | undefined {
  if (!EndTime || hasLogged !== false || logs.length > 0 || (starts && starts.length > 0)) return undefined;
  const characters = outputs.reduce((sum, { Value }) => sum + (Value?.length ?? 0), 0);
  return characters > MAX_CACHED_CHARACTERS ? undefined : { ActivityId, ActivityVersion, Status, EndTime, outputs };
}
