import type { WorkflowGraphData } from '#shared/contract/workflows.ts';
import { stepsBefore } from '#shared/rules/workflows/graph-order.ts';
import { t } from '#renderer/language/translate.ts';

/** Returns why a step cannot be connected to come after another one; null if it can. */
export function connectionIssue(graph: WorkflowGraphData, from: string, to: string): string | null {
  const before = graph.Steps.find(({ Key }) => Key === from);
  const after = graph.Steps.find(({ Key }) => Key === to);
  if (!before || !after) return null;
  if (from === to) return t('A step cannot come after itself.');
  const names = { step: after.Name, before: before.Name };
  if (after.After.some(({ Step }) => Step === from)) return t("'{step}' already comes after '{before}'.", names);
  return stepsBefore(graph, from).has(to)
    ? t("'{step}' comes before '{before}', so the two steps would wait for each other.", names)
    : null;
}
