/** Trying an activity: checked and calculated as a run would be, and nothing of it kept. */
import { Type, type Static } from 'typebox';
import { closed, needsOn, post } from './endpoint.ts';
import { Output } from './parameters.ts';
import { StartBody } from './runs.ts';

export const DRY_RUN_STATUSES = ['Succeeded', 'SucceededWarn', 'Failed', 'LogicError'] as const;

export const DryRunResult = closed({
  Status: Type.Enum(DRY_RUN_STATUSES),
  /** Milliseconds. */
  Duration: Type.Integer(),
  LogEntries: Type.Array(closed({ Message: Type.String(), StatusCode: Type.Integer(), Category: Type.Integer() })),
  /** As of a run; files are not made. */
  Outputs: Type.Array(Output),
  /** Steps that were not carried out, as they would change something outside or make a file. */
  LeftOutSteps: Type.Array(Type.String()),
});
export type DryRunResult = Static<typeof DryRunResult>;

export const dryRun = post('/api/activities/dryrun', {
  access: needsOn('sk.RunActivity'),
  summary: 'Check the inputs of a start and calculate the workbook with them; nothing is stored',
  parts: { body: StartBody, result: DryRunResult },
});
