/** What keeps a workflow from being saved. Editors show it while it is drawn, the server refuses it. */
import {
  isMappable,
  isSameInputName,
  isSameType,
  CHECKLIST_INPUT_NAME_MAX,
  DIFFERENT_TYPES,
} from '../checklist-rules.ts';
import type { Input, Output } from '../../contract/parameters.ts';
import { findCycle, stepsBefore, stepsByKey } from './graph-order.ts';
import { fitsInput } from './matched-columns.ts';
import {
  STEP_KEY_MAX,
  type ActivityStep,
  type ChainEdge,
  type ChainGraph,
  type ChainStep,
  type InputMapping,
} from './types.ts';

export const WORKFLOW_STEPS_MAX = 200;
export const STEP_NAME_MAX = 60;

/** What is known of an activity that steps run. */
export interface CatalogueActivity {
  Name: string;
  IsActive: boolean;
  Inputs: readonly Pick<Input, 'Name' | 'Info' | 'PresetValue'>[];
  Outputs: readonly Pick<Output, 'Name' | 'Info'>[];
}

/** By the activity's id; those that whoever edits may not see are not in it. */
export type Catalogue = ReadonlyMap<number, CatalogueActivity>;

export interface GraphFault {
  /** Key of the step; null for what concerns the whole. */
  Step: string | null;
  Message: string;
}

type Report = (Message: string, Step?: ChainStep) => void;

const isSameName = isSameInputName;

/** Everything that is wrong with a graph, in the order of its steps; empty where it can be run. */
export function validateGraph(graph: ChainGraph, catalogue: Catalogue): GraphFault[] {
  const faults: GraphFault[] = [];
  const report: Report = (Message, step) => void faults.push({ Step: step?.Key ?? null, Message });
  const { Steps } = graph;
  if (Steps.length === 0) report('A workflow must contain at least one step.');
  if (Steps.length > WORKFLOW_STEPS_MAX) report(`A workflow can have ${WORKFLOW_STEPS_MAX} steps at most`);
  if (faults.length > 0) return faults;
  checkInputNames(graph, report);
  for (const step of Steps) {
    checkStep(graph, step, report);
    if (step.Kind === 'Activity') checkActivity(graph, step, catalogue, report);
  }
  const cycle = findCycle(graph);
  if (cycle) report(`The steps ${cycle.map(({ Name }) => `'${Name}'`).join(' → ')} wait for each other`, cycle[0]);
  checkTypes(graph, catalogue, report);
  checkTaken(graph, report);
  return faults;
}

function checkInputNames({ Inputs }: ChainGraph, report: Report): void {
  for (const [index, { Name }] of Inputs.entries()) {
    if (Name.trim() === '') report('An input must have a name');
    else if (Name.length > CHECKLIST_INPUT_NAME_MAX)
      report(`Checklist Input names ${Name} exceed the character length limit of ${CHECKLIST_INPUT_NAME_MAX}`);
    if (Inputs.slice(0, index).some((one) => isSameName(one.Name, Name))) report(`There are two inputs '${Name}'`);
  }
}

function checkTaken({ Inputs, Steps }: ChainGraph, report: Report): void {
  for (const { Name } of Inputs) {
    const isTaken = Steps.some((step) =>
      mappingsOf(step).some(({ From }) => From.Kind === 'Input' && isSameName(From.Name, Name)),
    );
    if (!isTaken) report(`No step takes the input '${Name}'`);
  }
}

const mappingsOf = (step: ChainStep): readonly InputMapping[] => ('Inputs' in step ? step.Inputs : []);

function checkStep({ Steps }: ChainGraph, step: ChainStep, report: Report): void {
  if (!/^[A-Za-z0-9_-]+$/.test(step.Key) || step.Key.length > STEP_KEY_MAX) {
    report(`The key of a step has 1 to ${STEP_KEY_MAX} letters, digits, - and _`, step);
  }
  if (Steps.find(({ Key }) => Key === step.Key) !== step) report(`Two steps have the key '${step.Key}'`, step);
  if (step.Name.trim() === '') report('A step must have a name', step);
  if (step.Name.length > STEP_NAME_MAX) report(`The name of a step must not exceed ${STEP_NAME_MAX} characters`, step);
  for (const [index, edge] of step.After.entries()) {
    const before = Steps.find(({ Key }) => Key === edge.Step);
    const message = before ? edgeIssue(edge, before) : 'It comes after a step that there is not';
    if (message !== null) report(message, step);
    if (step.After.slice(0, index).some((one) => one.Step === edge.Step && one.When === edge.When)) {
      report(`It comes after '${before?.Name ?? edge.Step}' twice`, step);
    }
  }
  const isHandled = Steps.some(({ After }) =>
    After.some(({ Step, When }) => Step === step.Key && (When === 'failure' || When === 'always')),
  );
  if (step.OnFailure === 'Handled' && !isHandled) {
    report('Its failure is to be handled, but no step comes after it on failure', step);
  }
  if (step.OnFailure === 'Stop' && isHandled) {
    report('Its failure stops the workflow, so that no step after it can begin on failure', step);
  }
}

function edgeIssue({ When }: ChainEdge, before: ChainStep): string | null {
  const isOfDecision = When === 'yes' || When === 'no';
  if (isOfDecision && before.Kind !== 'Decision')
    return `'${before.Name}' is no decision: nothing can come after it on ${When}`;
  if (!isOfDecision && before.Kind === 'Decision' && When !== 'always' && When !== 'failure') {
    return `'${before.Name}' is a decision: a step comes after it on yes or no`;
  }
  return null;
}

function checkActivity(graph: ChainGraph, step: ActivityStep, catalogue: Catalogue, report: Report): void {
  const activity = catalogue.get(step.ActivityId);
  if (!activity) return report('There is no such activity', step);
  if (!activity.IsActive) report(`The activity '${activity.Name}' is not active`, step);
  const before = stepsBefore(graph, step.Key);
  for (const [index, mapping] of step.Inputs.entries()) {
    if (step.Inputs.slice(0, index).some(({ Input: name }) => isSameName(name, mapping.Input))) {
      report(`'${mapping.Input}' can take one value only`, step);
    }
    const message = mappingIssue(graph, mapping, activity, catalogue, before);
    if (message !== null) report(message, step);
  }
  const open = activity.Inputs.filter(
    (input) =>
      isMappable(input) &&
      !input.Info.AllowDefaultValue &&
      !step.Inputs.some(({ Input: name }) => isSameName(name, input.Name)),
  );
  if (open.length > 0)
    report(`All inputs must be mapped. ${open.map(({ Name }) => `'${Name}'`).join(', ')} is not`, step);
}

function mappingIssue(
  graph: ChainGraph,
  { Input: name, From }: InputMapping,
  activity: CatalogueActivity,
  catalogue: Catalogue,
  before: ReadonlySet<string>,
): string | null {
  const input = activity.Inputs.find((one) => isSameName(one.Name, name));
  if (!input) return `The activity '${activity.Name}' has no input '${name}'`;
  if (!isMappable(input)) return `'${input.Name}' cannot be mapped`;
  if (From.Kind === 'Column') return `'${input.Name}' takes a column, but the step has no rows`;
  if (From.Kind === 'Input') {
    return graph.Inputs.some((one) => isSameName(one.Name, From.Name)) ? null : `There is no input '${From.Name}'`;
  }
  const source = stepsByKey(graph).get(From.Step);
  if (!source) return `'${input.Name}' takes an output of a step that there is not`;
  if (!before.has(From.Step))
    return `'${input.Name}' takes an output of '${source.Name}', which does not come before it`;
  const outputs = source.Kind === 'Activity' ? (catalogue.get(source.ActivityId)?.Outputs ?? []) : [];
  const output = outputs.find((one) => isSameName(one.Name, From.Name));
  if (!output) return `'${source.Name}' has no output '${From.Name}'`;
  return fitsInput(output.Info, input.Info)
    ? null
    : `'${output.Name}' of '${source.Name}' cannot become '${input.Name}': they are of different types`;
}

/** What is asked for under one name fits every input that takes it. */
function checkTypes({ Inputs, Steps }: ChainGraph, catalogue: Catalogue, report: Report): void {
  for (const { Name } of Inputs) {
    const takers = Steps.flatMap((step) => {
      if (step.Kind !== 'Activity') return [];
      const names = step.Inputs.filter(({ From }) => From.Kind === 'Input' && isSameName(From.Name, Name));
      const known = catalogue.get(step.ActivityId)?.Inputs ?? [];
      return names.flatMap(({ Input: name }) => known.find((one) => isSameName(one.Name, name)) ?? []);
    });
    const [first] = takers;
    if (first && takers.some(({ Info }) => !isSameType(Info, first.Info))) report(`${DIFFERENT_TYPES}: '${Name}'`);
  }
}
