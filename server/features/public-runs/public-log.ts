/** What of a run's log visitors read: what they can act on, and what its author says. Nothing of how the workbook is made, or of the server. */
import { FIRST_SYSTEM_STATUS_CODE, type LogEntry } from '#shared/contract/run-status.ts';
import { LogCode } from '#shared/rules/log-codes.ts';

/** In place of what is wrong with formulas, steps, folders, connections and databases. */
const NOT_THEIRS = 'The activity could not be carried out as it is set up. Please tell those who gave you its address.';

const OF_THE_SETUP: ReadonlySet<number> = new Set([
  LogCode.QueryRefused,
  LogCode.WriteRefused,
  LogCode.StepRefused,
  LogCode.Setup,
  LogCode.EngineMissing,
]);

/** Without the cell, its formula and where the error came from. */
const ERROR_OF_OUTPUT = /^Output '.*?' has the error #[\w/!?]+/s;

export function publicLog(entries: readonly LogEntry[]): LogEntry[] {
  const told = entries.filter(
    ({ StatusCode }) => StatusCode < FIRST_SYSTEM_STATUS_CODE && StatusCode !== LogCode.StepDone,
  );
  return told.map((entry) => {
    const Message = publicMessage(entry);
    return { ...entry, Message, displayMessage: Message };
  });
}

function publicMessage({ StatusCode, Message }: LogEntry): string {
  if (OF_THE_SETUP.has(StatusCode)) return NOT_THEIRS;
  if (StatusCode === LogCode.ErrorInOutput) return ERROR_OF_OUTPUT.exec(Message)?.[0] ?? NOT_THEIRS;
  return Message;
}
