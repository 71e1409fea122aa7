/** The sources that a value of a step can have. Only fitting sources are offered. */
import type { WorkflowActivity, WorkflowGraphData, WorkflowStepData } from '#shared/contract/workflows.ts';
import { CHECKLIST_INPUT_NAME_MAX, isSameInputName, isSameType } from '#shared/rules/checklist-rules.ts';
import { stepsBefore, stepsByKey } from '#shared/rules/workflows/graph-order.ts';
import { fitsInput } from '#shared/rules/workflows/matched-columns.ts';
import { stepOutputs, type PassedOutput, type ValueShape } from '#shared/rules/workflows/step-outputs.ts';
import { declaredInfo } from '#shared/rules/workflows/declared-input.ts';
import { shownExpression } from '#shared/rules/workflows/expression-names.ts';
import { readsOf } from '#shared/rules/workflows/source-reads.ts';
import type { ExpressionSource, ValueSource } from '#shared/rules/workflows/types.ts';
import { COLUMN_KINDS, type ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { t } from '#renderer/language/translate.ts';

/** By id. */
export type KnownActivities = ReadonlyMap<number, WorkflowActivity>;
export type AskedInput = WorkflowActivity['Inputs'][number];

export interface Offer {
  from: ValueSource;
  text: string;
}

export interface OfferGroup {
  title: string;
  offers: Offer[];
}

export const activityOf = (step: WorkflowStepData, activities: KnownActivities): WorkflowActivity | undefined =>
  'ActivityId' in step ? activities.get(step.ActivityId) : undefined;

interface StepOutput {
  step: WorkflowStepData;
  output: PassedOutput;
}

/** Returns the outputs of all steps before a step, in list order. */
function outputsBefore(graph: WorkflowGraphData, key: string, activities: KnownActivities): StepOutput[] {
  const before = stepsBefore(graph, key);
  return graph.Steps.filter(({ Key }) => before.has(Key)).flatMap((step) =>
    stepOutputs(step, activities).map((output) => ({ step, output })),
  );
}

const outputOffers = (found: readonly StepOutput[]): OfferGroup => ({
  title: t('Outputs of earlier steps'),
  offers: found.map(({ step, output }) => ({
    from: { Kind: 'Output', Step: step.Key, Name: output.Name },
    text: `${step.Name}: ${output.Name}`,
  })),
});

/** Cache of the input shapes: a graph is queried for each input many times, and is immutable. */
const shapesOfGraph = new WeakMap<
  WorkflowGraphData,
  { activities: KnownActivities; shapes: Map<string, ValueShape> }
>();

/**
 * Returns the shapes of the workflow's inputs by name. The shape comes from the first activity input that uses the
 * workflow input.
 */
function inputShapes(graph: WorkflowGraphData, activities: KnownActivities): ReadonlyMap<string, ValueShape> {
  const cached = shapesOfGraph.get(graph);
  if (cached?.activities === activities) return cached.shapes;
  const shapes = new Map<string, ValueShape>();
  for (const step of graph.Steps) {
    if (!('ActivityId' in step)) continue;
    const known = activityOf(step, activities)?.Inputs ?? [];
    for (const { Input, From } of step.Inputs) {
      if (From.Kind !== 'Input') continue;
      const asked = known.find(({ Name }) => isSameInputName(Name, Input));
      if (asked && !shapes.has(nameKey(From.Name))) shapes.set(nameKey(From.Name), asked.Info);
    }
  }
  for (const { Name } of graph.Inputs) {
    if (shapes.has(nameKey(Name))) continue;
    const declared = declaredInfo(graph, Name);
    if (takesRows(graph, Name).length > 0) shapes.set(nameKey(Name), enteredRows(graph, Name, activities));
    else if (declared) shapes.set(nameKey(Name), declared);
  }
  shapesOfGraph.set(graph, { activities, shapes });
  return shapes;
}

const takesRows = ({ Steps }: WorkflowGraphData, name: string) =>
  Steps.flatMap((step) =>
    step.Kind === 'ForEach' && step.Rows.Kind === 'Input' && isSameInputName(step.Rows.Name, name) ? [step] : [],
  );

/** Returns the shape of a table that only ForEach steps use for their rows. It has the columns that they need. */
function enteredRows(graph: WorkflowGraphData, name: string, activities: KnownActivities): ValueShape {
  const columns = new Map<string, { name: string; usage: ValueShape['CellUsages'][number] }>();
  const steps = takesRows(graph, name);
  for (const step of steps) {
    const asked = activityOf(step, activities)?.Inputs ?? [];
    for (const { Input, From } of step.Inputs) {
      const usage = asked.find(({ Name }) => isSameInputName(Name, Input))?.Info.CellUsages[0];
      if (From.Kind !== 'Column' || !usage || columns.has(nameKey(From.Name))) continue;
      columns.set(nameKey(From.Name), { name: From.Name, usage });
    }
  }
  for (const { KeyColumn } of steps) {
    if (KeyColumn !== null && !columns.has(nameKey(KeyColumn)))
      columns.set(nameKey(KeyColumn), { name: KeyColumn, usage: 'Text' });
  }
  const all = [...columns.values()];
  return {
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: all.map(({ usage }) => usage),
    ColumnHeaderValues: all.map((column) => column.name),
  };
}

const nameKey = (name: string): string => name.trim().toLowerCase();

/** Returns the shape of a workflow input; null if no known activity uses it. */
export const inputShape = (graph: WorkflowGraphData, name: string, activities: KnownActivities): ValueShape | null =>
  inputShapes(graph, activities).get(nameKey(name)) ?? null;

/** Returns the sources to which an input of a step's activity can be mapped. */
export function mappingOffers(
  graph: WorkflowGraphData,
  step: WorkflowStepData,
  input: AskedInput,
  activities: KnownActivities,
): OfferGroup[] {
  const fitting = graph.Inputs.filter(({ Name }) => {
    const shape = inputShape(graph, Name, activities);
    return shape !== null && isSameType(shape, input.Info);
  });
  const isThere = fitting.some(({ Name }) => isSameInputName(Name, input.Name));
  const fresh = isThere
    ? []
    : [{ from: asInput(freeInputName(graph, input.Name)), text: t('New input: {name}', { name: input.Name }) }];
  return [
    {
      title: t('Inputs of the workflow'),
      offers: [...fitting.map(({ Name }) => ({ from: asInput(Name), text: Name })), ...fresh],
    },
    columnOffers(graph, step, input, activities),
    outputOffers(outputsBefore(graph, step.Key, activities).filter(({ output }) => fitsInput(output.Info, input.Info))),
  ].filter(({ offers }) => offers.length > 0);
}

const asInput = (Name: string): ValueSource => ({ Kind: 'Input', Name });

export function freeInputName({ Inputs }: WorkflowGraphData, wanted: string): string {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : ` ${number}`;
    const name = wanted.slice(0, CHECKLIST_INPUT_NAME_MAX - end.length) + end;
    if (!Inputs.some(({ Name }) => isSameInputName(Name, name))) return name;
  }
}

/** Returns the table for whose rows a ForEach step runs. */
export function rowsTable(
  graph: WorkflowGraphData,
  step: WorkflowStepData,
  activities: KnownActivities,
): PassedOutput | null {
  if (step.Kind !== 'ForEach') return null;
  const { Rows } = step;
  if (Rows.Kind === 'Expression') return tableRead(graph, Rows, activities);
  if (Rows.Kind === 'Input') {
    const Info = inputShape(graph, Rows.Name, activities);
    return Info && { Name: Rows.Name, Info };
  }
  const source = stepsBefore(graph, step.Key).has(Rows.Step) ? stepsByKey(graph).get(Rows.Step) : undefined;
  const outputs = source ? stepOutputs(source, activities) : [];
  return outputs.find(({ Name }) => isSameInputName(Name, Rows.Name)) ?? null;
}

/**
 * Returns the columns of the tables that a formula reads. Its result has some of them: which ones, the server finds out
 * when it checks the workflow.
 */
function tableRead(graph: WorkflowGraphData, from: ExpressionSource, activities: KnownActivities): PassedOutput | null {
  const tables = readsOf(graph, from)
    .map((read) => sourceShape(graph, read, activities))
    .filter((shape) => shape?.RangeType === 'RangeWithColumnHeaders');
  const columns = new Map(
    tables.flatMap((shape) =>
      shape!.ColumnHeaderValues.map((Name, at) => [nameKey(Name), { Name, usage: shape!.CellUsages[at] ?? 'Text' }]),
    ),
  );
  if (columns.size === 0) return null;
  const all = [...columns.values()];
  const Info: ValueShape = {
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: all.map(({ usage }) => usage),
    ColumnHeaderValues: all.map(({ Name }) => Name),
  };
  return { Name: shownExpression(from.Formula), Info };
}

/** True if the rows are entered only for this step, so that each of its inputs may become a column. */
function makesColumns(graph: WorkflowGraphData, step: WorkflowStepData): boolean {
  if (step.Kind !== 'ForEach' || step.Rows.Kind !== 'Input') return false;
  const { Name } = step.Rows;
  return !graph.Steps.some(
    (other) =>
      'ActivityId' in other &&
      other.Inputs.some(({ From }) => From.Kind === 'Input' && isSameInputName(From.Name, Name)),
  );
}

function columnOffers(
  graph: WorkflowGraphData,
  step: WorkflowStepData,
  { Name: asked, Info: { RangeType, CellUsages } }: AskedInput,
  activities: KnownActivities,
): OfferGroup {
  const title = t('Columns of the row');
  const rows = RangeType === 'SingleCell' ? rowsTable(graph, step, activities) : null;
  if (!rows) return { title, offers: [] };
  const names = rows.Info.ColumnHeaderValues.filter((_, at) => rows.Info.CellUsages[at] === CellUsages[0]);
  const isThere = rows.Info.ColumnHeaderValues.some((name) => isSameInputName(name, asked));
  const fresh =
    makesColumns(graph, step) && !isThere ? [{ from: asColumn(asked), text: t('New column: {asked}', { asked }) }] : [];
  return { title, offers: [...names.map((Name) => ({ from: asColumn(Name), text: Name })), ...fresh] };
}

const asColumn = (Name: string): ValueSource => ({ Kind: 'Column', Name });

/** Returns the tables that a ForEach step can run for: workflow inputs, and outputs of earlier steps. */
export function rowsOffers(graph: WorkflowGraphData, key: string, activities: KnownActivities): OfferGroup[] {
  const isTable = ({ RangeType }: ValueShape): boolean => RangeType === 'RangeWithColumnHeaders';
  const inputs = graph.Inputs.filter(({ Name }) => {
    const shape = inputShape(graph, Name, activities);
    return shape !== null && isTable(shape);
  });
  const tables = outputsBefore(graph, key, activities).filter(({ output }) => isTable(output.Info));
  const fresh = { from: asInput(freeInputName(graph, 'Rows')), text: t('New input: a table of rows') };
  return [
    {
      title: t('Inputs of the workflow'),
      offers: [...inputs.map(({ Name }) => ({ from: asInput(Name), text: Name })), fresh],
    },
    outputOffers(tables),
  ].filter(({ offers }) => offers.length > 0);
}

/** Returns the single values that a decision can use. */
export function valueOffers(graph: WorkflowGraphData, key: string, activities: KnownActivities): OfferGroup[] {
  const inputs = graph.Inputs.filter(({ Name }) => inputShape(graph, Name, activities)?.RangeType === 'SingleCell');
  const outputs = outputsBefore(graph, key, activities).filter(({ output }) => output.Info.RangeType === 'SingleCell');
  return [
    { title: t('Inputs of the workflow'), offers: inputs.map(({ Name }) => ({ from: asInput(Name), text: Name })) },
    outputOffers(outputs),
  ].filter(({ offers }) => offers.length > 0);
}

/** Returns everything that approvers can be shown before they decide. */
export function allOffers(graph: WorkflowGraphData, key: string, activities: KnownActivities): OfferGroup[] {
  return [
    {
      title: t('Inputs of the workflow'),
      offers: graph.Inputs.map(({ Name }) => ({ from: asInput(Name), text: Name })),
    },
    outputOffers(outputsBefore(graph, key, activities)),
  ].filter(({ offers }) => offers.length > 0);
}

/** Returns the values of a decision as columns for its condition. */
export function conditionColumns(
  graph: WorkflowGraphData,
  values: readonly { Name: string; From: ValueSource }[],
  activities: KnownActivities,
): ConditionColumn[] {
  return values.map(({ Name, From }) => {
    const usage = sourceShape(graph, From, activities)?.CellUsages[0];
    return { Name, Kind: COLUMN_KINDS.find((kind) => kind === usage) ?? 'Text' };
  });
}

export function sourceShape(
  graph: WorkflowGraphData,
  from: ValueSource,
  activities: KnownActivities,
): ValueShape | null {
  if (from.Kind === 'Input') return inputShape(graph, from.Name, activities);
  if (from.Kind !== 'Output') return null;
  const step = stepsByKey(graph).get(from.Step);
  const outputs = step ? stepOutputs(step, activities) : [];
  return outputs.find(({ Name }) => isSameInputName(Name, from.Name))?.Info ?? null;
}

/** Describes the source of a value. */
export function sourceText(graph: WorkflowGraphData, from: ValueSource): string {
  if (from.Kind === 'Input') return from.Name;
  if (from.Kind === 'Column') return t('Column {name}', { name: from.Name });
  if (from.Kind === 'Constant') return from.Value === null ? t('(blank)') : String(from.Value);
  if (from.Kind === 'Expression') return shownExpression(from.Formula);
  if (from.Name === '') return '';
  return `${stepsByKey(graph).get(from.Step)?.Name ?? t('Missing step')}: ${from.Name}`;
}

export const isSameSource = (a: ValueSource, b: ValueSource): boolean =>
  a.Kind === b.Kind &&
  'Name' in a &&
  'Name' in b &&
  isSameInputName(a.Name, b.Name) &&
  (a.Kind !== 'Output' || b.Kind !== 'Output' || a.Step === b.Step);
