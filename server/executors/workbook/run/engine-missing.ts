/** Handles runs of versions whose engine this server does not have (any more). */
import type { CalculationError } from '#server/calculation/engine.ts';
import type { RunLogLine, RunOutcome } from '#server/executors/executor.ts';
import { Category, LogCode } from '#shared/rules/log-codes.ts';

/** Ends a run with the reason, instead of with the numbers of another engine. */
export function refusedByEngine({ message }: CalculationError, onLog: (line: RunLogLine) => void): RunOutcome {
  onLog({ Message: message, StatusCode: LogCode.EngineMissing, Category: Category.Error });
  return { status: 'Failed', outputs: [], files: [] };
}
