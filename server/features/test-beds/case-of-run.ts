/** Converts a run to a test case: its inputs, and its outputs as expected values. */
import { AppError } from '#server/base/app-error.ts';
import { isFileInput } from '#shared/codecs/input-form.ts';
import { DRY_RUN_STATUSES } from '#shared/contract/dry-runs.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import type { TestCaseContent } from '#shared/contract/test-beds.ts';

/**
 * Throws an AppError if the run calculated nothing, has a file, or did not end normally (for example because it was
 * cancelled).
 */
export function caseOfRun(run: ActivityRun): TestCaseContent {
  const refuse = (text: string): AppError => new AppError('notReplayable', 422, text);
  if (run.BatchFileName !== null)
    throw refuse('The run represents a batch and calculates nothing: save the run of one of its rows as a test case');
  const Status = DRY_RUN_STATUSES.find((one) => one === run.Status);
  if (!Status) throw refuse('Only an ended run that was not cancelled or interrupted can be saved as a test case');
  const file = run.Inputs.find(({ FileId, ParameterInfo }) => FileId !== null && isFileInput(ParameterInfo));
  if (file) throw refuse(`A test case cannot store files, but the run has one for its input ${file.Name}`);
  return {
    Name: `Run ${run.Id}`,
    Status,
    Inputs: run.Inputs.filter(
      ({ HasPresetValue, ParameterInfo }) => !HasPresetValue && ParameterInfo.CellUsages[0] !== 'ActivityRunId',
    ).map(({ Name, Value, UseDefault }) => ({ Name, Value, UseDefault: UseDefault || Value === null })),
    Expected: run.Outputs.flatMap(({ Name, Value }) =>
      Value === null ? [] : [{ Name, Value, Tolerance: 0, RelativeTolerance: 0 }],
    ),
  };
}
