/** Log entries that the program itself writes. */
import { randomUUID } from 'node:crypto';
import type { RunLogLine } from '#server/executors/executor.ts';
import { FIRST_SYSTEM_STATUS_CODE, LogCategory } from '#shared/contract/run-status.ts';

export const CANCELLED_LINE: RunLogLine = {
  Message: 'The run was cancelled',
  StatusCode: 1,
  Category: LogCategory.Information,
};

/** Base of the log line of a run that did not run at all; each has its own message. */
export const NOT_RUN_LINE = { StatusCode: 1700, Category: LogCategory.Information };

export const SERVER_STOPPED_LINE: RunLogLine = {
  Message: 'The server was stopped before the run ended',
  StatusCode: FIRST_SYSTEM_STATUS_CODE + 1,
  Category: LogCategory.Error,
};

export const WORKER_LOST_LINE: RunLogLine = {
  Message: 'The server that was executing the run no longer responds',
  StatusCode: FIRST_SYSTEM_STATUS_CODE + 2,
  Category: LogCategory.Error,
};

export const NOT_LICENSED_LINE: RunLogLine = {
  Message: 'The run was disallowed because of an invalid or expired license',
  StatusCode: 2,
  Category: LogCategory.Error,
};

/** Log line of a run whose files could not be read or stored; the message says why. */
export const fileStoreLine = ({ message: Message }: Error): RunLogLine => ({
  Message,
  StatusCode: FIRST_SYSTEM_STATUS_CODE + 3,
  Category: LogCategory.Error,
});

/** What a person sees of an internal error: an id to look up in the server's log. */
export function internalError(): { id: string; line: RunLogLine } {
  const id = randomUUID();
  const Message = `System error (id ${id})`;
  return { id, line: { Message, StatusCode: FIRST_SYSTEM_STATUS_CODE, Category: LogCategory.Error } };
}
