/** Formulas of a workflow follow the names of its steps and inputs. */
import type { WorkflowGraphData, WorkflowStepData } from '#shared/contract/workflows.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import { withNames, type ExpressionName } from '#shared/rules/workflows/expression-names.ts';
import { decisionExpression, readsOf, sourcesOf } from '#shared/rules/workflows/source-reads.ts';

type ChangeName = (name: ExpressionName) => ExpressionName | null;
type Rewrite = (formula: string) => string;

/**
 * Returns the changed graph with formulas that read a renamed step by its new name. While the name is missing or that of
 * another step, as it may be while it is typed, they read the step by its key.
 */
export function followStepName(before: WorkflowGraphData, changed: WorkflowGraphData, key: string): WorkflowGraphData {
  const old = before.Steps.find(({ Key }) => Key === key);
  const now = changed.Steps.find(({ Key }) => Key === key);
  if (!old || !now || old.Name === now.Name) return changed;
  const wasUnique = isUnique(before, old.Name);
  const step = stepInFormula(changed, key);
  return rewritten(changed, (name) => {
    if (name.kind !== 'Output') return null;
    const isThis = name.step === key || (wasUnique && isSameInputName(name.step, old.Name));
    return isThis ? { ...name, step } : null;
  });
}

const isUnique = ({ Steps }: WorkflowGraphData, name: string): boolean =>
  Steps.filter(({ Name }) => isSameInputName(Name, name)).length === 1;

/** Returns how formulas name a step: by its name, or by its key if the name is missing or not unique. */
export function stepInFormula(graph: WorkflowGraphData, key: string): string {
  const name = graph.Steps.find(({ Key }) => Key === key)?.Name ?? '';
  return name.trim() !== '' && isUnique(graph, name) ? name : key;
}

export const renameInputInFormulas = (graph: WorkflowGraphData, old: string, now: string): WorkflowGraphData =>
  rewritten(graph, (name) =>
    name.kind === 'Input' && isSameInputName(name.name, old) ? { ...name, name: now } : null,
  );

/** Returns whether a formula reads an input of the workflow. */
export function isRead(graph: WorkflowGraphData, input: string): boolean {
  const sources = [...graph.Steps.flatMap(sourcesOf), ...graph.Inputs.flatMap(({ Default }) => Default ?? [])];
  return sources.some(
    (from) =>
      from.Kind === 'Expression' &&
      readsOf(graph, from).some(({ Kind, Name }) => Kind === 'Input' && isSameInputName(Name, input)),
  );
}

function rewritten(graph: WorkflowGraphData, change: ChangeName): WorkflowGraphData {
  const rewrite: Rewrite = (formula) => withNames(formula, change);
  const Inputs = graph.Inputs.map((input) =>
    input.Default?.Kind === 'Expression' ? { ...input, Default: inSource(input.Default, rewrite) } : input,
  );
  return { Inputs, Steps: graph.Steps.map((step) => inStep(step, rewrite)) };
}

function inSource<Source extends { Kind: string }>(from: Source, rewrite: Rewrite): Source {
  return 'Formula' in from && typeof from.Formula === 'string' ? { ...from, Formula: rewrite(from.Formula) } : from;
}

const inAll = <T extends { From: { Kind: string } }>(list: T[], rewrite: Rewrite): T[] =>
  list.map((one) => ({ ...one, From: inSource(one.From, rewrite) }));

function inStep(step: WorkflowStepData, rewrite: Rewrite): WorkflowStepData {
  if (step.Kind === 'Approval') return { ...step, Values: inAll(step.Values, rewrite) };
  if (step.Kind === 'Decision') {
    const Condition = decisionExpression(step) ? rewrite(step.Condition) : step.Condition;
    return { ...step, Condition, Values: inAll(step.Values, rewrite) };
  }
  const Inputs = inAll(step.Inputs, rewrite);
  return step.Kind === 'ForEach' ? { ...step, Inputs, Rows: inSource(step.Rows, rewrite) } : { ...step, Inputs };
}
