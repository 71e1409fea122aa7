/** Converts approvals to the shapes of the contract. */
import { fullName } from '#server/base/full-name.ts';
import type { ApprovalDecision, ApprovalItem, ApprovalValue } from '#shared/contract/approvals.ts';
import type { OutputInfo } from '#shared/contract/parameters.ts';
import type { ApprovalItemRow, DecisionRow, FileRow, ValueRow } from './approvals-repository.ts';

export const decisionView = (row: DecisionRow): ApprovalDecision => ({
  UserFullName: fullName(row),
  Approved: row.Approved,
  Comment: row.Comment,
  Time: row.Time.toISOString(),
});

/** Returns the fields that all views of an approval share. */
export function headerOf(row: ApprovalItemRow, decisions: readonly DecisionRow[]): Omit<ApprovalItem, 'Own'> {
  const { Id, Name, ChecklistName, ChecklistRunId, Status, Needed, StartTime, ExpiryTime, EndTime } = row;
  return {
    Id,
    Name,
    ChecklistName,
    ChecklistRunId,
    StarterFullName: fullName(row),
    Outcome: Status,
    Needed,
    Given: decisions.filter(({ Approved }) => Approved).length,
    StartTime: StartTime.toISOString(),
    ExpiryTime: ExpiryTime?.toISOString() ?? null,
    EndTime: EndTime?.toISOString() ?? null,
  };
}

export function itemView(row: ApprovalItemRow, decisions: readonly DecisionRow[], userId: number): ApprovalItem {
  const own = decisions.find(({ UserId }) => UserId === userId);
  return { ...headerOf(row, decisions), Own: own ? decisionView(own) : null };
}

export function valueViews(values: readonly ValueRow[], files: readonly FileRow[]): ApprovalValue[] {
  return values.map(({ Position, Name, Info, Value }) => ({
    Name,
    Info: JSON.parse(Info) as OutputInfo,
    Value,
    Files: files
      .filter((file) => file.Position === Position)
      .map(({ FileName, ContentLength }) => ({ FileName, ContentLength })),
  }));
}

/** Returns the message that tells a person why their decision comes too late. */
export function lateText(row: Pick<ApprovalItemRow, 'Status'>, decisions: readonly DecisionRow[]): string {
  const by = (approved: boolean): string =>
    decisions
      .filter(({ Approved }) => Approved === approved)
      .map(fullName)
      .join(' and ');
  if (row.Status === 'Approved') return `Too late: it was approved by ${by(true)}`;
  if (row.Status === 'Rejected') return `Too late: it was rejected by ${by(false)}`;
  if (row.Status === 'Expired') return 'Too late: it had expired';
  if (row.Status === 'NoApprovers') return 'Too late: it had failed, because too few approvers were left';
  return 'Too late: its run was cancelled, or stopped by a failure';
}
