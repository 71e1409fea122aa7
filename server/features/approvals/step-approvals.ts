/** Approvals as the status of a run shows them at their steps. */
import type { Person } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { mayDecide } from '#server/jobs/approvals/approvers.ts';
import type { StepApproval } from '#shared/contract/approvals.ts';
import { decisionView } from './approval-views.ts';
import { listApprovalsOfSteps, listDecisions, listNamed } from './approvals-repository.ts';

/** By the key of the step. @param steps of a run, each with the earlier one in which it was decided, where it is kept */
export async function readStepApprovals(
  db: Db,
  person: Person,
  runId: number,
  steps: readonly { StepKey: string; KeptOf: number | null }[],
): Promise<Map<string, StepApproval>> {
  const rows = await listApprovalsOfSteps(
    db,
    steps.map(({ StepKey, KeptOf }) => ({ StepKey, ChecklistRunId: KeptOf ?? runId })),
  );
  const ids = rows.map(({ Id }) => Id);
  const [decisions, named] = [await listDecisions(db, ids), await listNamed(db, ids)];
  const found = new Map<string, StepApproval>();
  for (const { Id, StepKey, Status, Needed, ExpiryTime } of rows) {
    const made = decisions.get(Id) ?? [];
    const isOpen = Status === 'Open' && person.keyScope === undefined;
    const hasDecided = made.some(({ UserId }) => UserId === person.UserId);
    found.set(StepKey, {
      Id,
      Outcome: Status,
      Needed,
      ExpiryTime: ExpiryTime?.toISOString() ?? null,
      MayDecide: isOpen && !hasDecided && (await mayDecide(db, Id, person.UserId)),
      WaitsFor: Status === 'Open' ? (named.get(Id) ?? []) : [],
      Decisions: made.map(decisionView),
      KeptOf: steps.find((step) => step.StepKey === StepKey)?.KeptOf ?? null,
    });
  }
  return found;
}
