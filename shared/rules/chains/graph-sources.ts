/** Where steps of a workflow can take values from, and what these are. */
import { isSameInputName as isSameName } from '../checklist-rules.ts';
import type { CellUsage, Input, InputInfo, Output, OutputInfo } from '#shared/contract/parameters.ts';
import { stepsByKey } from './graph-order.ts';
import { JOINED_ROWS, joinedTables } from './joined-rows.ts';
import {
  FOR_EACH_MOST_ROWS,
  ROW_KEY_MAX,
  type ChainGraph,
  type ChainStep,
  type ForEachStep,
  type ValueSource,
} from './types.ts';

/** What is known of an activity that steps run. */
export interface CatalogueActivity {
  Name: string;
  IsActive: boolean;
  Inputs: readonly Pick<Input, 'Name' | 'Info' | 'PresetValue'>[];
  Outputs: readonly SourceOutput[];
}

/** By the activity's id; those that whoever edits may not see are not in it. */
export type Catalogue = ReadonlyMap<number, CatalogueActivity>;

export type SourceOutput = Pick<Output, 'Name' | 'Info'>;

/** The output that something is taken from. A text says why there is none. */
export function findSource(
  graph: ChainGraph,
  { Step, Name }: Extract<ValueSource, { Kind: 'Output' }>,
  catalogue: Catalogue,
  before: ReadonlySet<string>,
): { step: ChainStep; output: SourceOutput } | string {
  const step = stepsByKey(graph).get(Step);
  if (!step) return 'takes an output of a step that there is not';
  if (!before.has(Step)) return `takes an output of '${step.Name}', which does not come before it`;
  const output = outputsOf(step, catalogue).find((one) => isSameName(one.Name, Name));
  if (output) return { step, output };
  const missing = `takes '${Name}', which '${step.Name}' does not give`;
  return step.Kind === 'ForEach' ? `${missing}: of all its rows there is '${JOINED_ROWS}'` : missing;
}

/** What later steps can take of a step; of a For each the tables that its rows give together. */
export function outputsOf(step: ChainStep, catalogue: Catalogue): readonly SourceOutput[] {
  const outputs = 'ActivityId' in step ? (catalogue.get(step.ActivityId)?.Outputs ?? []) : [];
  return step.Kind === 'ForEach' ? joinedTables(outputs) : outputs;
}

/** What a value of a decision or approval is; null where it is not known, a text where there is none. */
export function knownOf(
  graph: ChainGraph,
  From: ValueSource,
  catalogue: Catalogue,
  before: ReadonlySet<string>,
): Pick<Input['Info'] | Output['Info'], 'RangeType' | 'CellUsages'> | string | null {
  if (From.Kind === 'Column') return 'takes a column, but the step has no rows';
  if (From.Kind === 'Input') {
    if (!graph.Inputs.some(({ Name }) => isSameName(Name, From.Name)))
      return `takes the input '${From.Name}', which there is not`;
    return enteredInfo(graph, From.Name, catalogue);
  }
  const source = findSource(graph, From, catalogue, before);
  if (typeof source === 'string') return source;
  return source.output?.Info ?? 'is not a single value';
}

/** The inputs of activities that take an input of the workflow. */
export function takersOf(
  { Steps }: ChainGraph,
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

/** The For each steps that run for the rows of an input of the workflow. */
export const rowTakersOf = ({ Steps }: ChainGraph, name: string): ForEachStep[] =>
  Steps.filter((step): step is ForEachStep => step.Kind === 'ForEach').filter(
    ({ Rows }) => Rows.Kind === 'Input' && isSameName(Rows.Name, name),
  );

export type TableInfo = Pick<InputInfo | OutputInfo, 'RangeType' | 'CellUsages' | 'ColumnHeaderValues'>;

type NamedInput = Pick<Input, 'Name' | 'Info'>;

/**
 * The table that is asked for where only For each steps run for its rows: the column that names them, and each that an input of theirs takes,
 * with the rules of that input. Null where no step takes rows of it.
 * @param inputsOf inputs of an activity
 */
export function tableOfRows(
  graph: ChainGraph,
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
    MaxRows: FOR_EACH_MOST_ROWS,
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

/** What an input of the workflow is; null where no step takes it. */
export function enteredInfo(graph: ChainGraph, name: string, catalogue: Catalogue): InputInfo | null {
  const [whole] = takersOf(graph, name, catalogue);
  return whole?.Info ?? tableOfRows(graph, name, (id) => catalogue.get(id)?.Inputs ?? []);
}
