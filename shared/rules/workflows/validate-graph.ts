/**
 * Finds problems that prevent saving a workflow. Editors show them while the user draws; the server refuses such
 * graphs.
 */
import {
  isMappable,
  isSameInputName as isSameName,
  isSameType,
  CHECKLIST_INPUT_NAME_MAX,
  DIFFERENT_TYPES,
} from '#shared/rules/checklist-rules.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { isFolderUsage } from '#shared/codecs/input-form.ts';
import { findCycle, stepsBefore } from './graph-order.ts';
import { enteredInfo, findSource, takersOf, type Catalogue, type CatalogueActivity } from './graph-sources.ts';
import type { CheckExpression } from './expression-types.ts';
import { fitsInput } from './matched-columns.ts';
import {
  STEP_KEY_MAX,
  type ActivityStep,
  type WorkflowEdge,
  type WorkflowGraph,
  type WorkflowStep,
  type ForEachStep,
  type InputMapping,
} from './types.ts';
import { constantProblem, workflowInputProblems } from './validate-inputs.ts';
import { decisionProblems } from './validate-decision.ts';
import {
  expressionProblem,
  lengthProblem,
  tableOfExpression,
  UNKNOWN_EXPRESSION,
  type ExpressionContext,
  type RowsTable,
} from './validate-expressions.ts';
import { approvalProblems, type Approvers } from './validate-approval.ts';

const WORKFLOW_STEPS_MAX = 200;
export const STEP_NAME_MAX = 60;

export interface GraphProblem {
  /** Key of the step; null if the problem concerns the whole workflow. */
  Step: string | null;
  Message: string;
}

type Report = (Message: string, Step?: WorkflowStep) => void;

/**
 * Returns all problems of a graph, in the order of its steps; empty if it can be run.
 * @param approvers who can decide its approvals; absent if unknown
 * @param check if absent, only the names in expressions are checked
 */
export function validateGraph(
  graph: WorkflowGraph,
  catalogue: Catalogue,
  approvers?: Approvers,
  check: CheckExpression = UNKNOWN_EXPRESSION,
): GraphProblem[] {
  const problems: GraphProblem[] = [];
  const report: Report = (Message, step) => void problems.push({ Step: step?.Key ?? null, Message });
  const { Steps } = graph;
  if (Steps.length === 0) report('A workflow must contain at least one step.');
  if (Steps.length > WORKFLOW_STEPS_MAX) report(`A workflow can have at most ${WORKFLOW_STEPS_MAX} steps`);
  const tooLong = lengthProblem(graph);
  if (tooLong !== null) report(tooLong);
  if (problems.length > 0) return problems;
  checkInputNames(graph, report);
  for (const step of Steps) {
    checkStep(graph, step, report);
    const around = { graph, catalogue, before: stepsBefore(graph, step.Key), check };
    if (step.Kind === 'Activity' || step.Kind === 'ForEach') checkActivity(step, around, report);
    if (step.Kind === 'Decision') for (const problem of decisionProblems(step, around)) report(problem, step);
    if (step.Kind === 'Approval') {
      const who = approvers?.get(step.Key) ?? null;
      for (const problem of approvalProblems(step, around, who)) report(problem, step);
    }
  }
  const cycle = findCycle(graph);
  if (cycle) report(`The steps ${cycle.map(({ Name }) => `'${Name}'`).join(' → ')} wait for each other`, cycle[0]);
  checkTypes(graph, catalogue, report);
  for (const problem of workflowInputProblems(graph, catalogue, check)) report(problem);
  return problems;
}

function checkInputNames({ Inputs }: WorkflowGraph, report: Report): void {
  for (const [index, { Name }] of Inputs.entries()) {
    if (Name.trim() === '') report('An input must have a name');
    else if (Name.length > CHECKLIST_INPUT_NAME_MAX)
      report(`Checklist Input names ${Name} exceed the character length limit of ${CHECKLIST_INPUT_NAME_MAX}`);
    if (Inputs.slice(0, index).some((one) => isSameName(one.Name, Name)))
      report(`There are two inputs named '${Name}'`);
  }
}

function checkStep({ Steps }: WorkflowGraph, step: WorkflowStep, report: Report): void {
  if (!/^[A-Za-z0-9_-]+$/.test(step.Key) || step.Key.length > STEP_KEY_MAX) {
    report(`The key of a step must have 1 to ${STEP_KEY_MAX} letters, digits, - or _`, step);
  }
  if (Steps.find(({ Key }) => Key === step.Key) !== step) report(`Two steps have the key '${step.Key}'`, step);
  if (step.Name.trim() === '') report('A step must have a name', step);
  if (step.Name.length > STEP_NAME_MAX) report(`The name of a step must not exceed ${STEP_NAME_MAX} characters`, step);
  for (const [index, edge] of step.After.entries()) {
    const before = Steps.find(({ Key }) => Key === edge.Step);
    const message = before ? edgeIssue(edge, before) : 'It comes after a step that does not exist';
    if (message !== null) report(message, step);
    if (step.After.slice(0, index).some((one) => one.Step === edge.Step && one.When === edge.When)) {
      report(`It comes after '${before?.Name ?? edge.Step}' twice`, step);
    }
  }
  const isHandled = Steps.some(({ After }) =>
    After.some(({ Step, When }) => Step === step.Key && (When === 'failure' || When === 'always')),
  );
  if (step.OnFailure === 'Handled' && !isHandled) {
    report('Its failure is set to be handled, but no step follows it on failure', step);
  }
  if (step.OnFailure === 'Stop' && isHandled) {
    report('Its failure stops the workflow, so no step can follow it on failure', step);
  }
}

function edgeIssue({ When }: WorkflowEdge, before: WorkflowStep): string | null {
  const isOfDecision = When === 'yes' || When === 'no';
  if (isOfDecision && before.Kind !== 'Decision')
    return `'${before.Name}' is not a decision: no step can follow it on ${When}`;
  if (!isOfDecision && before.Kind === 'Decision' && When !== 'always' && When !== 'failure') {
    return `'${before.Name}' is a decision: a step after it must follow yes or no`;
  }
  return null;
}

function checkActivity(step: ActivityStep | ForEachStep, around: ExpressionContext, report: Report): void {
  const activity = around.catalogue.get(step.ActivityId);
  if (!activity) return report('There is no such activity', step);
  if (!activity.IsActive) report(`The activity '${activity.Name}' is not active`, step);
  const rows = step.Kind === 'ForEach' ? rowsOf(step, around, report) : null;
  for (const [index, mapping] of step.Inputs.entries()) {
    if (step.Inputs.slice(0, index).some(({ Input: name }) => isSameName(name, mapping.Input))) {
      report(`'${mapping.Input}' can have only one source`, step);
    }
    const message = mappingIssue(mapping, activity, rows, around);
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

/** @param rows the table that the step iterates over; null if there is none */
function mappingIssue(
  { Input: name, From }: InputMapping,
  activity: CatalogueActivity,
  rows: RowsTable | null,
  around: ExpressionContext,
): string | null {
  const { graph, catalogue, before } = around;
  const input = activity.Inputs.find((one) => isSameName(one.Name, name));
  if (!input) return `The activity '${activity.Name}' has no input '${name}'`;
  if (!isMappable(input)) return `'${input.Name}' cannot be mapped`;
  if (From.Kind === 'Constant') return constantProblem(input, From);
  if (From.Kind === 'Expression') return expressionProblem(input, From, around);
  if (From.Kind === 'Column')
    return rows ? columnIssue(rows, From.Name, input) : `'${input.Name}' uses a column, but the step has no rows`;
  if (From.Kind === 'Input') {
    return graph.Inputs.some((one) => isSameName(one.Name, From.Name)) ? null : `There is no input '${From.Name}'`;
  }
  const source = findSource(graph, From, catalogue, before);
  if (typeof source === 'string') return `'${input.Name}' ${source}`;
  const { step, output } = source;
  return fitsInput(output.Info, input.Info)
    ? null
    : `'${From.Name}' of '${step.Name}' cannot become '${input.Name}': they are of different types`;
}

const columnIndex = ({ Info }: RowsTable, name: string): number =>
  Info.ColumnHeaderValues.findIndex((header) => isSameName(header, name));

function columnIssue(rows: RowsTable, name: string, { Name, Info }: Pick<Input, 'Name' | 'Info'>): string | null {
  const index = columnIndex(rows, name);
  if (index < 0) return `'${rows.Name}' has no column '${name}'`;
  const fits = Info.RangeType === 'SingleCell' && Info.CellUsages[0] === rows.Info.CellUsages[index];
  return fits ? null : `The column '${name}' cannot become '${Name}': they are of different types`;
}

/** Returns the table of a ForEach step; reports a problem and returns null if it has none. */
function rowsOf(step: ForEachStep, around: ExpressionContext, report: Report): RowsTable | null {
  const table = tableFor(step, around);
  if (typeof table === 'string' || table.Info.RangeType !== 'RangeWithColumnHeaders') {
    report(typeof table === 'string' ? table : `'${table.Name}' is not a table with columns`, step);
    return null;
  }
  if (step.KeyColumn !== null && columnIndex(table, step.KeyColumn) < 0) {
    report(`'${table.Name}' has no column '${step.KeyColumn}'`, step);
  }
  return table;
}

/** Returns a text if there is no such table. */
function tableFor({ Rows }: ForEachStep, around: ExpressionContext): RowsTable | string {
  const { graph, catalogue, before } = around;
  if (Rows.Kind === 'Column' || Rows.Kind === 'Constant')
    return 'Its rows must come from an input of the workflow or from an output of an earlier step';
  if (Rows.Kind === 'Expression') {
    const table = tableOfExpression(Rows, around);
    return typeof table === 'string' ? `For its rows, it ${table}` : table;
  }
  if (Rows.Kind === 'Output') {
    const source = findSource(graph, Rows, catalogue, before);
    return typeof source === 'string' ? `For its rows, it ${source}` : source.output;
  }
  if (!graph.Inputs.some(({ Name }) => isSameName(Name, Rows.Name))) return `There is no input '${Rows.Name}'`;
  const [whole] = takersOf(graph, Rows.Name, catalogue);
  const Info = enteredInfo(graph, Rows.Name, catalogue);
  if (!Info || Info.CellUsages.length === 0) return `It uses no column of the rows of '${Rows.Name}'`;
  const isFile = !whole && Info.CellUsages.some((usage) => usage === 'FilePath' || isFolderUsage(usage));
  return isFile ? `The rows of '${Rows.Name}' cannot contain files or folders` : { Name: Rows.Name, Info };
}

/** Checks that an input of one name fits every activity input that uses it. */
function checkTypes(graph: WorkflowGraph, catalogue: Catalogue, report: Report): void {
  for (const { Name } of graph.Inputs) {
    const takers = takersOf(graph, Name, catalogue);
    const [first] = takers;
    if (first && takers.some(({ Info }) => !isSameType(Info, first.Info))) report(`${DIFFERENT_TYPES}: '${Name}'`);
  }
}
