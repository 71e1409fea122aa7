/** The log of a run, and whether it contains warnings. */
import type { RunLogLine } from '#server/executors/executor.ts';
import { Category, LogCode } from '#shared/rules/log-codes.ts';
import { RunEnded } from './run-ended.ts';

export interface RunLog {
  readonly hasWarned: boolean;
  info(message: string): void;
  /** Logs what a step did, in the program's own words. */
  done(message: string): void;
  warn(message: string, code: number): void;
  error(message: string, code: number): void;
  /** Logs the message and returns the error to throw. */
  refusal(message: string, code: number): RunEnded;
  setupError(message: string, cause?: unknown): RunEnded;
}

export function createRunLog(write: (line: RunLogLine) => void): RunLog {
  let hasWarned = false;
  const log = (Message: string, StatusCode: number, category: number): void =>
    write({ Message, StatusCode, Category: category });
  return {
    get hasWarned() {
      return hasWarned;
    },
    info: (message) => log(message, LogCode.Information, Category.Information),
    done: (message) => log(message, LogCode.StepDone, Category.Information),
    warn(message, code) {
      hasWarned = true;
      log(message, code, Category.Warning);
    },
    error: (message, code) => log(message, code, Category.Error),
    refusal(message, code) {
      log(message, code, Category.Error);
      return new RunEnded('Failed');
    },
    setupError(message, cause) {
      log(message, LogCode.Setup, Category.Error);
      return new RunEnded('LogicError', { cause });
    },
  };
}
