/** Dry runs: an activity is checked and calculated like a run, but nothing is stored. */
import { Type, type Static } from 'typebox';
import { closed, needsOn, post } from './endpoint.ts';
import { Output } from './parameters.ts';
import { StartBody } from './runs.ts';

export const DRY_RUN_STATUSES = ['Succeeded', 'SucceededWarn', 'Failed', 'LogicError'] as const;

export const DryRunResult = closed({
  Status: Type.Enum(DRY_RUN_STATUSES),
  /** In milliseconds. */
  Duration: Type.Integer(),
  LogEntries: Type.Array(closed({ Message: Type.String(), StatusCode: Type.Integer(), Category: Type.Integer() })),
  /** In the format of a run's outputs; output files are not created. */
  Outputs: Type.Array(Output),
  /** Steps that were skipped because they would change something outside the portal or create a file. */
  LeftOutSteps: Type.Array(Type.String()),
});
export type DryRunResult = Static<typeof DryRunResult>;

export const dryRun = post('/api/activities/dryrun', {
  access: needsOn('sk.RunActivity'),
  summary: 'Validate the inputs of a start and calculate the workbook with them, without storing anything',
  parts: { body: StartBody, result: DryRunResult },
});
