/** Adds steps to the graph of a workflow. Each function returns a new graph and does not mutate the old one. */
import type { WorkflowGraphData, WorkflowStepData } from '#shared/contract/workflows.ts';
import type { WorkflowEdge } from '#shared/rules/workflows/types.ts';
import { STEP_NAME_MAX } from '#shared/rules/workflows/validate-graph.ts';
import { createUniqueId } from '#renderer/api/unique-id.ts';
import { asKind, NEW_APPROVAL, usualEdge } from './workflow-draft.ts';

export type NewStep =
  | { Kind: 'Activity' | 'ForEach'; Name: string; ActivityId: number }
  | { Kind: 'Decision' | 'Approval'; Name: string };

/** Where a new step goes: after a step (null: after the last one in the list), or between the two ends of an edge. */
export type StepPlace = { after: string | null } | { edge: WorkflowEdge; to: string };

export interface Added {
  graph: WorkflowGraphData;
  key: string;
}

export function addStep(graph: WorkflowGraphData, wanted: NewStep, place: StepPlace): Added {
  return 'edge' in place ? addBetween(graph, wanted, place) : addAfter(graph, wanted, place.after);
}

function addAfter(graph: WorkflowGraphData, wanted: NewStep, key: string | null): Added {
  const found = graph.Steps.findIndex(({ Key }) => Key === key);
  const at = found < 0 ? graph.Steps.length - 1 : found;
  const before = graph.Steps[at];
  const step = newStep(graph, wanted, before ? [usualEdge(before)] : []);
  return { graph: { ...graph, Steps: graph.Steps.toSpliced(at + 1, 0, step) }, key: step.Key };
}

/** The new step takes the edge over, and the step at its end follows the new step. */
function addBetween(
  graph: WorkflowGraphData,
  wanted: NewStep,
  { edge, to }: Extract<StepPlace, { edge: WorkflowEdge }>,
): Added {
  const isIt = ({ Step, When }: WorkflowEdge): boolean => Step === edge.Step && When === edge.When;
  const at = graph.Steps.findIndex(({ Key, After }) => Key === to && After.some(isIt));
  // The edge may have been removed while the user chose the step.
  if (at < 0) return addAfter(graph, wanted, edge.Step);
  const step = newStep(graph, wanted, [edge]);
  const Steps = graph.Steps.with(at, {
    ...graph.Steps[at]!,
    After: graph.Steps[at]!.After.map((one) => (isIt(one) ? usualEdge(step) : one)),
  });
  return { graph: { ...graph, Steps: Steps.toSpliced(at, 0, step) }, key: step.Key };
}

function newStep(graph: WorkflowGraphData, wanted: NewStep, After: WorkflowEdge[]): WorkflowStepData {
  const base = {
    Key: newKey(),
    Name: freeName(graph, wanted.Name),
    After,
    Join: 'AllSucceeded' as const,
    OnFailure: 'Stop' as const,
  };
  if ('ActivityId' in wanted) {
    const { Kind, ActivityId } = wanted;
    return asKind({ ...base, Kind: 'Activity', ActivityId, Inputs: [] }, Kind, ActivityId);
  }
  if (wanted.Kind === 'Decision') return { ...base, Kind: 'Decision', Condition: '', Values: [] };
  return { ...base, ...NEW_APPROVAL, Roles: [], UserIds: [], Values: [] };
}

/** Adds a copy parallel to the step: it follows the same steps, and no step follows it. */
export function duplicateStep(graph: WorkflowGraphData, key: string): Added {
  const at = graph.Steps.findIndex(({ Key }) => Key === key);
  const step = graph.Steps[at];
  if (!step) return { graph, key };
  const { X: _x, Y: _y, ...rest } = step;
  const Key = newKey();
  const copy = { ...rest, Key, Name: freeName(graph, step.Name) } as WorkflowStepData;
  return { graph: { ...graph, Steps: graph.Steps.toSpliced(at + 1, 0, copy) }, key: Key };
}

/**
 * Two people who add steps to the same version, or one who adds a step after removing another, must not get the same
 * key: it identifies the step in all versions and runs.
 */
const newKey = (): string => `step-${createUniqueId().slice(0, 12)}`;

/** Returns an unused step name within the maximum length. */
function freeName({ Steps }: WorkflowGraphData, wanted: string): string {
  const taken = new Set(Steps.map(({ Name }) => Name.trim().toLowerCase()));
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : ` (${number})`;
    const name = wanted.slice(0, STEP_NAME_MAX - end.length) + end;
    if (!taken.has(name.toLowerCase())) return name;
  }
}
