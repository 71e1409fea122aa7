/** Approvals of a run's steps, as its status shows them. */
import type { Person } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { mayDecide } from '#server/workflows/approvals/approvers.ts';
import type { StepApproval } from '#shared/contract/approvals.ts';
import { decisionView } from './approval-views.ts';
import { listApprovalsOfSteps, listDecisions, listNamed } from './approvals-repository.ts';

/**
 * Returns the approvals by step key.
 * @param steps steps of a run; KeptOf is the earlier run in which a reused step was decided
 */
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
    const own = decisions.get(Id) ?? [];
    const isOpen = Status === 'Open' && person.keyScope === undefined;
    const hasDecided = own.some(({ UserId }) => UserId === person.UserId);
    found.set(StepKey, {
      Id,
      Outcome: Status,
      Needed,
      ExpiryTime: ExpiryTime?.toISOString() ?? null,
      MayDecide: isOpen && !hasDecided && (await mayDecide(db, Id, person.UserId)),
      WaitsFor: Status === 'Open' ? (named.get(Id) ?? []) : [],
      Decisions: own.map(decisionView),
      KeptOf: steps.find((step) => step.StepKey === StepKey)?.KeptOf ?? null,
    });
  }
  return found;
}
