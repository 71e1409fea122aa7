/** The rows of approvals, and the log lines that approvals add to their run. */
import type { Knex } from 'knex';
import type { ApprovalsRow } from '#server/db/tables.ts';
import { LogCategory } from '#shared/contract/run-status.ts';

export type ApprovalRow = Pick<
  ApprovalsRow,
  'Id' | 'ChecklistRunId' | 'StepKey' | 'Name' | 'Needed' | 'OnExpiry' | 'Status' | 'StarterId'
>;

const APPROVAL_COLUMNS = [
  'Id',
  'ChecklistRunId',
  'StepKey',
  'Name',
  'Needed',
  'OnExpiry',
  'Status',
  'StarterId',
] as const;

export async function findApproval(db: Knex, Id: number): Promise<ApprovalRow | undefined> {
  return db('Approvals')
    .where({ Id })
    .first<ApprovalRow | undefined>(...APPROVAL_COLUMNS);
}

/** Log lines with their StatusCodes. */
export const APPROVAL_LINES = {
  asked: { StatusCode: 1710, Category: LogCategory.Information },
  approved: { StatusCode: 1711, Category: LogCategory.Information },
  rejected: { StatusCode: 1712, Category: LogCategory.Error },
  expired: { StatusCode: 1713, Category: LogCategory.Error },
  approvedByTime: { StatusCode: 1714, Category: LogCategory.Warning },
  noApprovers: { StatusCode: 1715, Category: LogCategory.Error },
} as const;
