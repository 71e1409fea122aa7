import type { NameColumns } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

export interface NamedWorkflowRunRow extends NameColumns {
  Id: number;
  ChecklistId: number;
  WorkflowVersion: number | null;
  PlanId: number;
  UserId: number;
  Status: RunStatus;
  QueueTime: Date;
  EndTime: Date | null;
  CancelTime: Date | null;
  ResumeOf: number | null;
  /** The entered values as JSON. */
  Inputs: string;
}

const COLUMNS = [
  'Id',
  'ChecklistId',
  'WorkflowVersion',
  'PlanId',
  'UserId',
  'Status',
  'QueueTime',
  'EndTime',
  'CancelTime',
  'ResumeOf',
  'Inputs',
];

/** Selects runs with the names of the people who started them. */
export const selectWorkflowRuns = (db: Db) =>
  db('ChecklistRuns as R')
    .join('Users as U', 'U.UserId', 'R.UserId')
    .select<NamedWorkflowRunRow[]>(
      ...COLUMNS.map((column) => `R.${column}`),
      'U.FirstName',
      'U.MiddleName',
      'U.LastName',
    );

export async function findWorkflowRun(db: Db, id: number): Promise<NamedWorkflowRunRow | undefined> {
  return selectWorkflowRuns(db).where('R.Id', id).whereNull('R.PurgeTime').first();
}
