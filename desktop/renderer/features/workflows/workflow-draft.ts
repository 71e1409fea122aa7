/** Edits the graph of a workflow. Each function returns a new graph and does not mutate the old one. */
import type { WorkflowGraphData, WorkflowStepData } from '#shared/contract/workflows.ts';
import { CHECKLIST_INPUT_NAME_MAX, isSameInputName } from '#shared/rules/checklist-rules.ts';
import { DEFAULT_FOR_EACH_CONCURRENCY, type WorkflowEdge, type ValueSource } from '#shared/rules/workflows/types.ts';
import { t } from '#renderer/language/translate.ts';
import { followStepName, isRead, renameInputInFormulas } from './renamed-formulas.ts';

type StepOf<Kind extends WorkflowStepData['Kind']> = Extract<WorkflowStepData, { Kind: Kind }>;
/** A value that a decision or approval uses. */
export type StepValue = StepOf<'Decision'>['Values'][number];

/** Texts of the step kinds. */
export const KIND_TEXT: Record<WorkflowStepData['Kind'], string> = {
  Activity: t('Activity'),
  ForEach: t('For each'),
  Decision: t('Decision'),
  Approval: t('Approval'),
};

export const NEW_APPROVAL = {
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

/** The default edge from a step to a step that follows it. */
export const usualEdge = ({ Key, Kind }: WorkflowStepData): WorkflowEdge => ({
  Step: Key,
  When: Kind === 'Decision' ? 'yes' : 'success',
});

/**
 * Removes a step. Its successors then follow its predecessors. References to its outputs stay and are reported as
 * problems: if they were removed, an activity would silently run with its workbook's own value.
 */
export function removeStep(graph: WorkflowGraphData, key: string): WorkflowGraphData {
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

/** Moves a step within the list, without changing the edges. */
export function moveStep(graph: WorkflowGraphData, key: string, by: -1 | 1): WorkflowGraphData {
  const at = graph.Steps.findIndex(({ Key }) => Key === key);
  return { ...graph, Steps: swapped(graph.Steps, at, at + by) };
}

export function moveInput(graph: WorkflowGraphData, index: number, by: -1 | 1): WorkflowGraphData {
  return { ...graph, Inputs: swapped(graph.Inputs, index, index + by) };
}

function swapped<T>(list: T[], one: number, two: number): T[] {
  const [a, b] = [list[one], list[two]];
  return a === undefined || b === undefined ? list : list.with(one, b).with(two, a);
}

/**
 * Returns the graph with one step changed, without workflow inputs that no step uses any more. If it is renamed, formulas
 * read it by its new name.
 */
export function changeStep(
  graph: WorkflowGraphData,
  key: string,
  change: (step: WorkflowStepData) => WorkflowStepData,
): WorkflowGraphData {
  const changed = { ...graph, Steps: graph.Steps.map((step) => (step.Key === key ? change(step) : step)) };
  return withTakenInputs(followStepName(graph, changed, key));
}

/** Converts a step to another kind, preserving everything that both kinds have. */
export function asKind(step: WorkflowStepData, kind: WorkflowStepData['Kind'], activityId: number): WorkflowStepData {
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
    AtOnce: DEFAULT_FOR_EACH_CONCURRENCY,
    StopAfterFailures: null,
  };
}

/** Adds an edge between two steps, unless there is one already. */
export function connect(graph: WorkflowGraphData, from: string, to: string): WorkflowGraphData {
  const before = graph.Steps.find(({ Key }) => Key === from);
  if (!before || from === to) return graph;
  return changeStep(graph, to, (step) =>
    step.After.some(({ Step }) => Step === from) ? step : { ...step, After: [...step.After, usualEdge(before)] },
  );
}

export const disconnect = (graph: WorkflowGraphData, to: string, edge: WorkflowEdge): WorkflowGraphData =>
  changeStep(graph, to, (step) => ({
    ...step,
    After: step.After.filter(({ Step, When }) => Step !== edge.Step || When !== edge.When),
  }));

/** Sets the source of an input of the step's activity; null removes it. */
export function mapInput(
  graph: WorkflowGraphData,
  key: string,
  input: string,
  from: ValueSource | null,
): WorkflowGraphData {
  return changeStep(graph, key, (step) => {
    if (!('ActivityId' in step)) return step;
    const at = step.Inputs.findIndex((one) => isSameInputName(one.Input, input));
    const mapping = from === null ? [] : [{ Input: input, From: from }];
    return { ...step, Inputs: step.Inputs.toSpliced(at < 0 ? step.Inputs.length : at, at < 0 ? 0 : 1, ...mapping) };
  });
}

/** Renames an input in the workflow and in everything that uses it. */
export function renameInput(graph: WorkflowGraphData, index: number, name: string): WorkflowGraphData {
  const old = graph.Inputs[index];
  if (!old) return graph;
  const Name = name.slice(0, CHECKLIST_INPUT_NAME_MAX);
  const renamed = <T extends { From: ValueSource }>(one: T): T =>
    one.From.Kind === 'Input' && isSameInputName(one.From.Name, old.Name)
      ? { ...one, From: { ...one.From, Name } }
      : one;
  const Steps = graph.Steps.map((step): WorkflowStepData => {
    if ('Values' in step) return { ...step, Values: step.Values.map(renamed) };
    const mapped = { ...step, Inputs: step.Inputs.map(renamed) };
    return mapped.Kind === 'ForEach' ? { ...mapped, Rows: renamed({ From: mapped.Rows }).From } : mapped;
  });
  const renamedGraph = { Inputs: graph.Inputs.with(index, { ...old, Name }), Steps };
  return renameInputInFormulas(renamedGraph, old.Name, Name);
}

/**
 * Updates the workflow's inputs to those that its steps use: new ones are appended, unused ones are removed, and the
 * order is preserved.
 */
function withTakenInputs(graph: WorkflowGraphData): WorkflowGraphData {
  const taken = graph.Steps.flatMap((step) => {
    const sources: ValueSource[] = 'ActivityId' in step ? step.Inputs.map(({ From }) => From) : [];
    if (step.Kind === 'ForEach') sources.push(step.Rows);
    return sources.flatMap((from) => (from.Kind === 'Input' ? [from.Name] : []));
  });
  // An input of a chosen type stays, because a formula may use it soon.
  const Inputs = graph.Inputs.filter(
    ({ Name, Type }) => Type !== undefined || isRead(graph, Name) || taken.some((name) => isSameInputName(name, Name)),
  );
  for (const Name of taken) if (!Inputs.some((one) => isSameInputName(one.Name, Name))) Inputs.push({ Name });
  return { ...graph, Inputs };
}

export const placeStep = (graph: WorkflowGraphData, key: string, X: number, Y: number): WorkflowGraphData => ({
  ...graph,
  Steps: graph.Steps.map((step) => (step.Key === key ? { ...step, X: Math.round(X), Y: Math.round(Y) } : step)),
});

/** Removes all manually chosen positions. */
export const arrangeByItself = (graph: WorkflowGraphData): WorkflowGraphData => ({
  ...graph,
  Steps: graph.Steps.map(({ X: _x, Y: _y, ...step }) => step as WorkflowStepData),
});

/**
 * Returns a value of a decision or approval with a new source. It takes the name of the source unless a user has named
 * it.
 */
export function mapValue(before: StepValue | null, from: ValueSource): StepValue {
  const isNamedSo = before === null || before.Name.trim() === '' || before.Name === nameOf(before.From);
  const Name = isNamedSo ? (nameOf(from) ?? before?.Name ?? t('Value')) : before.Name;
  return { Name, From: from as StepValue['From'] };
}

const nameOf = (from: ValueSource): string | null => ('Name' in from ? from.Name : null);
