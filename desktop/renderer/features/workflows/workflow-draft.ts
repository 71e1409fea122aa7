/** What editing does to the graph of a workflow: each function answers a new graph and leaves the old one as it is. */
import type { WorkflowGraph, WorkflowStep } from '#shared/contract/workflows.ts';
import { CHECKLIST_INPUT_NAME_MAX, isSameInputName } from '#shared/rules/checklist-rules.ts';
import { FOR_EACH_AT_ONCE, type ChainEdge, type ValueSource } from '#shared/rules/chains/types.ts';
import { STEP_NAME_MAX } from '#shared/rules/chains/validate-graph.ts';
import { t } from '#renderer/language/translate.ts';

type StepOf<Kind extends WorkflowStep['Kind']> = Extract<WorkflowStep, { Kind: Kind }>;
/** What a decision or approval looks at. */
export type StepValue = StepOf<'Decision'>['Values'][number];

/** Kinds in words. */
export const KIND_TEXT: Record<WorkflowStep['Kind'], string> = {
  Activity: t('Activity'),
  ForEach: t('For each'),
  Decision: t('Decision'),
  Approval: t('Approval'),
};

/** When a step comes after another one unless somebody says otherwise. */
export const usualEdge = ({ Key, Kind }: WorkflowStep): ChainEdge => ({
  Step: Key,
  When: Kind === 'Decision' ? 'yes' : 'success',
});

function newKey({ Steps }: WorkflowGraph): string {
  const taken = new Set(Steps.map(({ Key }) => Key));
  let number = Steps.length + 1;
  while (taken.has(`step-${number}`)) number += 1;
  return `step-${number}`;
}

/** A name that no step has so far, no longer than a step's name may be. */
function freeName({ Steps }: WorkflowGraph, wanted: string): string {
  const taken = new Set(Steps.map(({ Name }) => Name.trim().toLowerCase()));
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : ` (${number})`;
    const name = wanted.slice(0, STEP_NAME_MAX - end.length) + end;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

export type NewStep =
  | { Kind: 'Activity'; Name: string; ActivityId: number }
  | { Kind: 'Decision' | 'Approval'; Name: string };

const NEW_APPROVAL = {
  Kind: 'Approval',
  Roles: [],
  UserIds: [],
  Needed: 1,
  StarterMayApprove: false,
  Text: '',
  Values: [],
  ExpiresAfterHours: null,
  OnExpiry: 'Fail',
} as const satisfies Partial<StepOf<'Approval'>>;

export interface Added {
  graph: WorkflowGraph;
  key: string;
}

/** Adds a step after the one that is selected, else after the last of the list. */
export function addStep(graph: WorkflowGraph, wanted: NewStep, selected: string | null): Added {
  const found = graph.Steps.findIndex(({ Key }) => Key === selected);
  const at = found < 0 ? graph.Steps.length - 1 : found;
  const before = graph.Steps[at];
  const base = {
    Key: newKey(graph),
    Name: freeName(graph, wanted.Name),
    After: before ? [usualEdge(before)] : [],
    Join: 'AllSucceeded' as const,
    OnFailure: 'Stop' as const,
  };
  const step: WorkflowStep =
    wanted.Kind === 'Activity'
      ? { ...base, Kind: 'Activity', ActivityId: wanted.ActivityId, Inputs: [] }
      : wanted.Kind === 'Decision'
        ? { ...base, Kind: 'Decision', Condition: '', Values: [] }
        : { ...base, ...NEW_APPROVAL, Roles: [], UserIds: [], Values: [] };
  return { graph: { ...graph, Steps: graph.Steps.toSpliced(at + 1, 0, step) }, key: base.Key };
}

/** A copy that stands beside the step: it comes after the same steps, and nothing comes after it. */
export function duplicateStep(graph: WorkflowGraph, key: string): Added {
  const at = graph.Steps.findIndex(({ Key }) => Key === key);
  const step = graph.Steps[at];
  if (!step) return { graph, key };
  const { X: _x, Y: _y, ...rest } = step;
  const Key = newKey(graph);
  const copy = { ...rest, Key, Name: freeName(graph, step.Name) } as WorkflowStep;
  return { graph: { ...graph, Steps: graph.Steps.toSpliced(at + 1, 0, copy) }, key: Key };
}

/**
 * What came after the step comes after what it came after. What took its outputs goes on to say so, and is a fault until it takes something else:
 * taken away, an activity would run with the value of its own workbook, and nobody would notice.
 */
export function removeStep(graph: WorkflowGraph, key: string): WorkflowGraph {
  const removed = graph.Steps.find(({ Key }) => Key === key);
  if (!removed) return graph;
  const Steps = graph.Steps.filter((step) => step !== removed).map((step) => {
    const After = step.After.flatMap((edge) => (edge.Step === key ? removed.After : [edge]));
    const unique = After.filter(
      (edge, index) => After.findIndex(({ Step, When }) => Step === edge.Step && When === edge.When) === index,
    );
    return { ...step, After: unique };
  });
  return withTakenInputs({ ...graph, Steps });
}

/** Moves a step within the list; the graph stays what it is. */
export function moveStep(graph: WorkflowGraph, key: string, by: -1 | 1): WorkflowGraph {
  const at = graph.Steps.findIndex(({ Key }) => Key === key);
  return { ...graph, Steps: swapped(graph.Steps, at, at + by) };
}

export function moveInput(graph: WorkflowGraph, index: number, by: -1 | 1): WorkflowGraph {
  return { ...graph, Inputs: swapped(graph.Inputs, index, index + by) };
}

function swapped<T>(list: T[], one: number, two: number): T[] {
  const [a, b] = [list[one], list[two]];
  return a === undefined || b === undefined ? list : list.with(one, b).with(two, a);
}

/** The graph with one step changed; inputs of the workflow that nothing takes any more are gone. */
export function changeStep(
  graph: WorkflowGraph,
  key: string,
  change: (step: WorkflowStep) => WorkflowStep,
): WorkflowGraph {
  return withTakenInputs({ ...graph, Steps: graph.Steps.map((step) => (step.Key === key ? change(step) : step)) });
}

/** The same step as another kind, with everything that both kinds have. */
export function asKind(step: WorkflowStep, kind: WorkflowStep['Kind'], activityId: number): WorkflowStep {
  if (step.Kind === kind) return step;
  const { Key, Name, After, Join, OnFailure, X, Y } = step;
  const base = {
    Key,
    Name,
    After,
    Join,
    OnFailure,
    ...(X === undefined ? {} : { X }),
    ...(Y === undefined ? {} : { Y }),
  };
  const Values = 'Values' in step ? step.Values : [];
  if (kind === 'Decision') return { ...base, Kind: kind, Condition: '', Values };
  if (kind === 'Approval') return { ...base, ...NEW_APPROVAL, Roles: [], UserIds: [], Values };
  const use =
    'ActivityId' in step
      ? {
          ActivityId: step.ActivityId,
          Inputs: step.Inputs.filter(({ From }) => From.Kind !== 'Column'),
          ...(step.MayRepeat === undefined ? {} : { MayRepeat: step.MayRepeat }),
        }
      : { ActivityId: activityId, Inputs: [] };
  if (kind === 'Activity') return { ...base, ...use, Kind: kind };
  return {
    ...base,
    ...use,
    Kind: kind,
    Rows: { Kind: 'Output', Step: After[0]?.Step ?? Key, Name: '' },
    KeyColumn: null,
    AtOnce: FOR_EACH_AT_ONCE,
    StopAfterFailures: null,
  };
}

/** An edge between two steps; one that is there already is not made twice. */
export function connect(graph: WorkflowGraph, from: string, to: string): WorkflowGraph {
  const before = graph.Steps.find(({ Key }) => Key === from);
  if (!before || from === to) return graph;
  return changeStep(graph, to, (step) =>
    step.After.some(({ Step }) => Step === from) ? step : { ...step, After: [...step.After, usualEdge(before)] },
  );
}

export const disconnect = (graph: WorkflowGraph, to: string, edge: ChainEdge): WorkflowGraph =>
  changeStep(graph, to, (step) => ({
    ...step,
    After: step.After.filter(({ Step, When }) => Step !== edge.Step || When !== edge.When),
  }));

/** Says where an input of the step's activity takes its value from; null for nowhere. */
export function mapInput(graph: WorkflowGraph, key: string, input: string, from: ValueSource | null): WorkflowGraph {
  return changeStep(graph, key, (step) => {
    if (!('ActivityId' in step)) return step;
    const at = step.Inputs.findIndex((one) => isSameInputName(one.Input, input));
    const mapping = from === null ? [] : [{ Input: input, From: from }];
    return { ...step, Inputs: step.Inputs.toSpliced(at < 0 ? step.Inputs.length : at, at < 0 ? 0 : 1, ...mapping) };
  });
}

/** Everything that takes the input takes it by its new name. */
export function renameInput(graph: WorkflowGraph, index: number, name: string): WorkflowGraph {
  const old = graph.Inputs[index];
  if (!old) return graph;
  const Name = name.slice(0, CHECKLIST_INPUT_NAME_MAX);
  const renamed = <T extends { From: ValueSource }>(one: T): T =>
    one.From.Kind === 'Input' && isSameInputName(one.From.Name, old.Name)
      ? { ...one, From: { ...one.From, Name } }
      : one;
  const Steps = graph.Steps.map((step): WorkflowStep => {
    if ('Values' in step) return { ...step, Values: step.Values.map(renamed) };
    const mapped = { ...step, Inputs: step.Inputs.map(renamed) };
    return mapped.Kind === 'ForEach' ? { ...mapped, Rows: renamed({ From: mapped.Rows }).From } : mapped;
  });
  return { Inputs: graph.Inputs.with(index, { Name }), Steps };
}

/** With the inputs that its activities take, in their order: new ones at the end, and without those that nothing takes. */
function withTakenInputs(graph: WorkflowGraph): WorkflowGraph {
  const taken = graph.Steps.flatMap((step) => {
    const sources: ValueSource[] = 'ActivityId' in step ? step.Inputs.map(({ From }) => From) : [];
    if (step.Kind === 'ForEach') sources.push(step.Rows);
    return sources.flatMap(({ Kind, Name }) => (Kind === 'Input' ? [Name] : []));
  });
  const Inputs = graph.Inputs.filter(({ Name }) => taken.some((name) => isSameInputName(name, Name)));
  for (const Name of taken) if (!Inputs.some((one) => isSameInputName(one.Name, Name))) Inputs.push({ Name });
  return { ...graph, Inputs };
}

export const placeStep = (graph: WorkflowGraph, key: string, X: number, Y: number): WorkflowGraph => ({
  ...graph,
  Steps: graph.Steps.map((step) => (step.Key === key ? { ...step, X: Math.round(X), Y: Math.round(Y) } : step)),
});

/** Takes back every place that was chosen by hand. */
export const arrangeByItself = (graph: WorkflowGraph): WorkflowGraph => ({
  ...graph,
  Steps: graph.Steps.map(({ X: _x, Y: _y, ...step }) => step as WorkflowStep),
});

/** A value of a decision or approval from a source; it is named as that is, unless somebody has named it otherwise. */
export function mapValue(before: StepValue | null, from: ValueSource): StepValue {
  const isNamedSo = before === null || before.Name.trim() === '' || before.Name === before.From.Name;
  return { Name: isNamedSo ? from.Name : before.Name, From: from as StepValue['From'] };
}
