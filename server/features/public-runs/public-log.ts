/**
 * The part of a run's log that visitors see: what they can act on, and messages of the activity's author. It reveals
 * nothing about the workbook or the server.
 */
import type { Output } from '#shared/contract/parameters.ts';
import { FIRST_SYSTEM_STATUS_CODE, type LogEntry } from '#shared/contract/run-status.ts';
import { LogCode } from '#shared/rules/log-codes.ts';

/** Replaces messages about problems with formulas, steps, folders, connections and databases. */
export const NOT_THEIRS =
  'The activity could not be run because it is not set up correctly. Please tell the person who gave you its address.';

const OF_THE_SETUP: ReadonlySet<number> = new Set([
  LogCode.QueryRefused,
  LogCode.WriteRefused,
  LogCode.StepRefused,
  LogCode.Setup,
  LogCode.EngineMissing,
  LogCode.ProcedureFailed,
  LogCode.ProcedureChanged,
]);

/** Messages of steps and procedures about their progress. */
const OF_THE_WORK: ReadonlySet<number> = new Set([LogCode.StepDone, LogCode.ProcedureSaid, LogCode.ResultKept]);

const TOO_LARGE = 'The workbook needs more memory than allowed';

/** @param outputs of the run, in the order of the activity; without values until it has ended */
export function publicLog(entries: readonly LogEntry[], outputs: readonly Output[] = []): LogEntry[] {
  const shown = entries.filter(
    ({ StatusCode }) => StatusCode < FIRST_SYSTEM_STATUS_CODE && !OF_THE_WORK.has(StatusCode),
  );
  const errors = outputErrors(shown, outputs);
  return shown.map((entry) => {
    const Message = publicMessage(entry, errors, outputs);
    return { ...entry, Message, displayMessage: Message };
  });
}

function publicMessage(
  { StatusCode, Message }: LogEntry,
  errors: Iterator<string>,
  outputs: readonly Output[],
): string {
  if (OF_THE_SETUP.has(StatusCode)) return NOT_THEIRS;
  if (StatusCode === LogCode.TooLarge) return TOO_LARGE;
  if (StatusCode === LogCode.ErrorInOutput)
    return errors.next().value ?? errorNamed(Message, outputs) ?? 'An output has an error';
  return Message;
}

/**
 * The run logs one warning per output with an error, in the order of the outputs, and names the formula. Visitors only
 * learn which output has which error, which they can see anyway.
 */
function outputErrors(entries: readonly LogEntry[], outputs: readonly Output[]): Iterator<string> {
  const texts = outputs.flatMap(({ Name, Value }) => {
    const error = Value === null ? null : firstError(JSON.parse(Value));
    return error === null ? [] : [`Output '${Name}' has the error ${error}`];
  });
  const warnings = entries.filter(({ StatusCode }) => StatusCode === LogCode.ErrorInOutput);
  // If the numbers differ, for example because outputs were purged, warnings cannot be assigned to outputs.
  return (texts.length === warnings.length ? texts : [])[Symbol.iterator]();
}

/** Returns the part of a warning that names the output and its error, without what it says about the workbook. */
function errorNamed(message: string, outputs: readonly Output[]): string | undefined {
  const begins = outputs
    .map(({ Name }) => `Output '${Name}' has the error `)
    .filter((text) => message.startsWith(text));
  const begin = begins.toSorted((one, other) => other.length - one.length)[0];
  const error = begin === undefined ? null : /^#[A-Z\d/]+[!?]?/.exec(message.slice(begin.length));
  return error ? `${begin}${error[0]}` : undefined;
}

function firstError(value: unknown): string | null {
  if (Array.isArray(value)) {
    for (const item of value) {
      const error = firstError(item);
      if (error !== null) return error;
    }
    return null;
  }
  const { error } = (value ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : null;
}
