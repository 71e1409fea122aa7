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
  /** Whether the person may run each of its activities. */
  CanRun: Type.Boolean(),
  /** Whether it was edited as a workflow, and is run as that. */
  IsWorkflow: Type.Boolean(),
  /** The newest run that the person may see; the fields of runs are null, and IsLastRunWorkflow false, where there is none. */
  LastRunId: nullable(RunId),
  IsLastRunWorkflow: Type.Boolean(),
  LastRunQueueTime: nullable(Timestamp),
  LastRunStatus: nullable(RunStatus),
  LastRunUserFullName: nullable(Type.String()),
});
export type ChecklistListItem = Static<typeof ChecklistListItem>;
