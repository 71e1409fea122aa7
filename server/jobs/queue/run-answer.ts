/** What a call is answered that started a run and waited for its end in the process that carried it out: known without asking the database. */
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

/** Of the outputs' texts: answers are kept for a while, of many runs. What is longer is read again. */
const MOST_CHARACTERS = 2_000;

/** Undefined where there is more to tell than its end says, or the database has not told when that was. */
export function answerOf(
  { ActivityId, ActivityVersion }: ClaimedRun,
  { status: Status, logs, hasLogged, starts, outputs }: RunEnd,
  EndTime: Date | null | undefined,
): RunAnswer | undefined {
  if (!EndTime || hasLogged !== false || logs.length > 0 || (starts && starts.length > 0)) return undefined;
  const characters = outputs.reduce((sum, { Value }) => sum + (Value?.length ?? 0), 0);
  return characters > MOST_CHARACTERS ? undefined : { ActivityId, ActivityVersion, Status, EndTime, outputs };
}
