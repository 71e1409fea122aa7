/** Where values of a graph come from, and what is known of them. */
import { isSameInputName } from '../checklist-rules.ts';
import type { Input, Output } from '#shared/contract/parameters.ts';
import { stepsByKey } from './graph-order.ts';
import type { ChainGraph, ChainStep, ValueSource } from './types.ts';

/** What is known of an activity that steps run. */
export interface CatalogueActivity {
  Name: string;
  IsActive: boolean;
  Inputs: readonly Pick<Input, 'Name' | 'Info' | 'PresetValue'>[];
  Outputs: readonly Pick<Output, 'Name' | 'Info'>[];
}

/** By the activity's id; those that whoever edits may not see are not in it. */
export type Catalogue = ReadonlyMap<number, CatalogueActivity>;

/** The output that something is taken from. A text says why there is none. */
export function findSource(
  graph: ChainGraph,
  { Step, Name }: Extract<ValueSource, { Kind: 'Output' }>,
  catalogue: Catalogue,
  before: ReadonlySet<string>,
): { step: ChainStep; output: CatalogueActivity['Outputs'][number] } | string {
  const step = stepsByKey(graph).get(Step);
  if (!step) return 'takes an output of a step that there is not';
  if (!before.has(Step)) return `takes an output of '${step.Name}', which does not come before it`;
  if (step.Kind === 'ForEach') return `takes outputs of '${step.Name}', of which each row has its own`;
  const outputs = step.Kind === 'Activity' ? (catalogue.get(step.ActivityId)?.Outputs ?? []) : [];
  const output = outputs.find((one) => isSameInputName(one.Name, Name));
  return output ? { step, output } : `takes '${Name}', which '${step.Name}' does not give`;
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
    if (!graph.Inputs.some(({ Name }) => isSameInputName(Name, From.Name)))
      return `takes the input '${From.Name}', which there is not`;
    return takersOf(graph, From.Name, catalogue)[0]?.Info ?? null;
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
    const taken = step.Inputs.filter(({ From }) => From.Kind === 'Input' && isSameInputName(From.Name, name));
    const known = catalogue.get(step.ActivityId)?.Inputs ?? [];
    return taken.flatMap(({ Input: input }) => known.find((one) => isSameInputName(one.Name, input)) ?? []);
  });
}
