/** The values that workflow steps can use, and their types. */
import { isSameInputName as isSameName } from '#shared/rules/checklist-rules.ts';
import type { CellUsage, Input, InputInfo, Output, OutputInfo } from '#shared/contract/parameters.ts';
import { declaredInfo } from './declared-input.ts';
import { stepsByKey } from './graph-order.ts';
import { JOINED_ROWS, joinedTables } from './joined-rows.ts';
import {
  MAX_FOR_EACH_ROWS,
  ROW_KEY_MAX,
  type WorkflowGraph,
  type WorkflowStep,
  type ForEachStep,
  type ValueSource,
} from './types.ts';

/** Definition of an activity that steps run. */
export interface CatalogueActivity {
  Name: string;
  IsActive: boolean;
  Inputs: readonly Pick<Input, 'Name' | 'Info' | 'PresetValue'>[];
  Outputs: readonly SourceOutput[];
}

/** By activity id; does not contain activities that the editing user may not see. */
export type Catalogue = ReadonlyMap<number, CatalogueActivity>;

export type SourceOutput = Pick<Output, 'Name' | 'Info'>;

/** Finds the output that a source refers to. Returns a text if there is none. */
export function findSource(
  graph: WorkflowGraph,
  { Step, Name }: Extract<ValueSource, { Kind: 'Output' }>,
  catalogue: Catalogue,
  before: ReadonlySet<string>,
): { step: WorkflowStep; output: SourceOutput } | string {
  const step = stepsByKey(graph).get(Step);
  if (!step) return 'uses an output of a step that does not exist';
  if (!before.has(Step)) return `uses an output of '${step.Name}', which is not an earlier step`;
  const output = outputsOf(step, catalogue).find((one) => isSameName(one.Name, Name));
  if (output) return { step, output };
  const missing = `uses '${Name}', which '${step.Name}' does not return`;
  return step.Kind === 'ForEach' ? `${missing}: for all its rows together it returns '${JOINED_ROWS}'` : missing;
}

/**
 * Returns what later steps can use from a step; for a ForEach step, the tables that combine the results of its rows.
 */
function outputsOf(step: WorkflowStep, catalogue: Catalogue): readonly SourceOutput[] {
  const outputs = 'ActivityId' in step ? (catalogue.get(step.ActivityId)?.Outputs ?? []) : [];
  return step.Kind === 'ForEach' ? joinedTables(outputs) : outputs;
}

/** Returns the type of a value of a decision or approval; null if it is unknown, a text if the source is invalid. */
export function knownOf(
  graph: WorkflowGraph,
  From: ValueSource,
  catalogue: Catalogue,
  before: ReadonlySet<string>,
): Pick<Input['Info'] | Output['Info'], 'RangeType' | 'CellUsages'> | string | null {
  if (From.Kind === 'Column') return 'uses a column, but the step has no rows';
  if (From.Kind === 'Constant' || From.Kind === 'Expression') return null;
  if (From.Kind === 'Input') {
    if (!graph.Inputs.some(({ Name }) => isSameName(Name, From.Name)))
      return `uses the input '${From.Name}', which does not exist`;
    return enteredInfo(graph, From.Name, catalogue);
  }
  const source = findSource(graph, From, catalogue, before);
  if (typeof source === 'string') return source;
  return source.output?.Info ?? 'is not a single value';
}

/** Returns the activity inputs that use an input of the workflow. */
export function takersOf(
  { Steps }: WorkflowGraph,
  name: string,
  catalogue: Catalogue,
): CatalogueActivity['Inputs'][number][] {
  return Steps.flatMap((step) => {
    if (!('ActivityId' in step)) return [];
    const taken = step.Inputs.filter(({ From }) => From.Kind === 'Input' && isSameName(From.Name, name));
    const known = catalogue.get(step.ActivityId)?.Inputs ?? [];
    return taken.flatMap(({ Input: input }) => known.find((one) => isSameName(one.Name, input)) ?? []);
  });
}

/** Returns the ForEach steps that iterate over the rows of a workflow input. */
export const rowTakersOf = ({ Steps }: WorkflowGraph, name: string): ForEachStep[] =>
  Steps.filter((step): step is ForEachStep => step.Kind === 'ForEach').filter(
    ({ Rows }) => Rows.Kind === 'Input' && isSameName(Rows.Name, name),
  );

export type TableInfo = Pick<InputInfo | OutputInfo, 'RangeType' | 'CellUsages' | 'ColumnHeaderValues'>;

type NamedInput = Pick<Input, 'Name' | 'Info'>;

/**
 * Returns the table to ask for if only ForEach steps iterate over a workflow input. It contains the key column and each
 * column that one of their inputs uses, with the rules of that input. Null if no step iterates over it.
 * @param inputsOf returns the inputs of an activity
 */
export function tableOfRows(
  graph: WorkflowGraph,
  name: string,
  inputsOf: (activityId: number) => readonly NamedInput[],
): InputInfo | null {
  const takers = rowTakersOf(graph, name);
  if (takers.length === 0) return null;
  const columns: { Name: string; Info: InputInfo | null }[] = [];
  for (const { ActivityId, Inputs } of takers) {
    for (const { Input: of, From } of Inputs) {
      const Info = inputsOf(ActivityId).find((one) => isSameName(one.Name, of))?.Info;
      if (From.Kind !== 'Column' || !Info || columns.some((one) => isSameName(one.Name, From.Name))) continue;
      columns.push({ Name: From.Name, Info });
    }
  }
  for (const { KeyColumn } of takers.toReversed()) {
    if (KeyColumn === null || columns.some((one) => isSameName(one.Name, KeyColumn))) continue;
    columns.unshift({ Name: KeyColumn, Info: null });
  }
  const keys = takers.flatMap(({ KeyColumn }) => KeyColumn ?? []);
  return {
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: columns.map(({ Info }): CellUsage => Info?.CellUsages[0] ?? 'Text'),
    Specifications: columns.map(() => 'Required'),
    Blanks: columns.map(({ Name, Info }) => !keys.some((key) => isSameName(key, Name)) && (Info?.Blanks[0] ?? false)),
    Pickers: columns.map(() => ({ Type: 'None', PreventOtherValues: false })),
    MaxSize: columns.map(({ Info }) => (Info ? (Info.MaxSize[0] ?? null) : ROW_KEY_MAX)),
    AllowDefaultValue: false,
    HeaderRows: 1,
    HeaderCols: 0,
    Height: 1,
    Width: Math.max(1, columns.length),
    RowsVariable: true,
    MaxRows: MAX_FOR_EACH_ROWS,
    ColsVariable: false,
    Display: 'Default',
    ColumnHeaderValues: columns.map(({ Name }) => Name),
    RowHeaderValues: [],
    SqlNames: [],
    SampleFilePath: null,
    Formats: columns.map(({ Info }) => Info?.Formats[0] ?? ''),
    DefaultValue: null,
  };
}

/** Returns the type of a workflow input; null if no step decides it and the workflow does not declare it. */
export function enteredInfo(graph: WorkflowGraph, name: string, catalogue: Catalogue): InputInfo | null {
  const [whole] = takersOf(graph, name, catalogue);
  const rows = (): InputInfo | null => tableOfRows(graph, name, (id) => catalogue.get(id)?.Inputs ?? []);
  return whole?.Info ?? rows() ?? declaredInfo(graph, name);
}
