/** Checklists in the list of activities. Source: specification of activities, section 3. */
import { Type, type Static } from 'typebox';
import { closed, Id, nullable, RunId, Timestamp } from './endpoint.ts';
import { RunStatus } from './run-status.ts';

export const ChecklistListItem = closed({
  Id,
  Name: Type.String(),
  Description: Type.String(),
  Schema: Type.String(),
  Group: Type.String(),
  Order: nullable(Type.Integer()),
  CanEdit: Type.Boolean(),
  /** True if the user may run every activity of the checklist. */
  CanRun: Type.Boolean(),
  /** True if it was edited as a workflow and therefore runs as one. */
  IsWorkflow: Type.Boolean(),
  /**
   * The newest run that the user may see. If there is none, the fields about the run are null and IsLastRunWorkflow is
   * false.
   */
  LastRunId: nullable(RunId),
  IsLastRunWorkflow: Type.Boolean(),
  LastRunQueueTime: nullable(Timestamp),
  LastRunStatus: nullable(RunStatus),
  LastRunUserFullName: nullable(Type.String()),
});
export type ChecklistListItem = Static<typeof ChecklistListItem>;
