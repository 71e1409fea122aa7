/** Detects triggers that would start each other endlessly. */
import type { TriggerRow } from '#server/automation/triggers/trigger-row.ts';

export type EndEdge = Pick<TriggerRow, 'ActivityId' | 'ChecklistId' | 'SourceActivityId' | 'SourceChecklistId'>;

const target = ({ ActivityId, ChecklistId }: EndEdge): string =>
  ActivityId === null ? `checklist ${ChecklistId}` : `activity ${ActivityId}`;
const source = ({ SourceActivityId, SourceChecklistId }: EndEdge): string =>
  SourceActivityId === null ? `checklist ${SourceChecklistId}` : `activity ${SourceActivityId}`;

/**
 * Returns whether the run that the new trigger starts would, through other triggers, lead back to the run whose end it
 * waits for.
 */
export function closesCycle(added: EndEdge, others: readonly EndEdge[]): boolean {
  const bySource = Map.groupBy(others, source);
  const wanted = source(added);
  const reached = new Set([target(added)]);
  for (const node of reached) {
    if (node === wanted) return true;
    for (const edge of bySource.get(node) ?? []) reached.add(target(edge));
  }
  return false;
}
