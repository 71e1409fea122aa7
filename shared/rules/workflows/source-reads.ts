/** The inputs and outputs that sources read, also through expressions. */
import { isSameInputName as isSameName } from '#shared/rules/checklist-rules.ts';
import { findNames, type ExpressionName } from './expression-names.ts';
import type { DecisionStep, ExpressionSource, ValueSource, WorkflowGraph, WorkflowStep } from './types.ts';

/** A source that names one input or output. */
export type ReadSource = Extract<ValueSource, { Kind: 'Input' | 'Output' }>;

/** A name of an expression with what it stands for; `issue` says why it stands for nothing. */
export type ResolvedName = { from: ReadSource; column: string | null } | { issue: string };

/** Returns the inputs and outputs that the names of an expression stand for, in the order of the text. */
export const resolveNames = (graph: WorkflowGraph, { Formula }: Pick<ExpressionSource, 'Formula'>): ResolvedName[] =>
  findNames(Formula).map(({ name }) => resolveName(graph, name));

function resolveName(graph: WorkflowGraph, name: ExpressionName): ResolvedName {
  const { column } = name;
  if (name.kind === 'Input') {
    const input = graph.Inputs.find(({ Name }) => isSameName(Name, name.name));
    if (!input) return { issue: `the workflow has no input '${name.name}'. Check its spelling` };
    return { from: { Kind: 'Input', Name: input.Name }, column };
  }
  const step = stepNamed(graph, name.step);
  if (step === null) return { issue: `there is no step '${name.step}'. Check its spelling` };
  if (step === 'several')
    return { issue: `there are several steps named '${name.step}'. Give each of them its own name` };
  return { from: { Kind: 'Output', Step: step.Key, Name: name.name }, column };
}

/**
 * Finds the step that an expression names: by its name, otherwise by its key. Returns 'several' if the name is not
 * unique.
 */
export function stepNamed({ Steps }: WorkflowGraph, name: string): WorkflowStep | 'several' | null {
  const named = Steps.filter(({ Name }) => isSameName(Name, name));
  if (named.length > 1) return 'several';
  return named[0] ?? Steps.find(({ Key }) => Key === name) ?? null;
}

/** Returns the inputs and outputs that a source reads. Names that stand for nothing are omitted. */
export function readsOf(graph: WorkflowGraph, from: ValueSource): ReadSource[] {
  if (from.Kind === 'Input' || from.Kind === 'Output') return [from];
  if (from.Kind !== 'Expression') return [];
  return resolveNames(graph, from).flatMap((one) => ('from' in one ? [one.from] : []));
}

/** Returns the expression that a decision consists of; null if it has a condition over its values. */
export const decisionExpression = ({ Condition }: Pick<DecisionStep, 'Condition'>): ExpressionSource | null =>
  Condition.trimStart().startsWith('=') ? { Kind: 'Expression', Formula: Condition } : null;

/** Returns all sources of a step. */
export function sourcesOf(step: WorkflowStep): ValueSource[] {
  const own = step.Kind === 'Decision' ? decisionExpression(step) : null;
  return [
    ...('Inputs' in step ? step.Inputs.map(({ From }) => From) : []),
    ...('Values' in step ? step.Values.map(({ From }) => From) : []),
    ...(step.Kind === 'ForEach' ? [step.Rows] : []),
    ...(own ? [own] : []),
  ];
}

/** Returns the inputs and outputs that a step reads. */
export const readsOfStep = (graph: WorkflowGraph, step: WorkflowStep): ReadSource[] =>
  sourcesOf(step).flatMap((from) => readsOf(graph, from));
