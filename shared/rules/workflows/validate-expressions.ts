/** Checks the expressions of a workflow: what they read, and whether their results fit. */
import { isSameInputName as isSameName } from '#shared/rules/checklist-rules.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { shownExpression } from './expression-names.ts';
import {
  isOfFiles,
  incompatibilityOf,
  type CheckExpression,
  type ExpressionRead,
  type ExpressionType,
} from './expression-types.ts';
import { enteredInfo, findSource, type Catalogue, type TableInfo } from './graph-sources.ts';
import { resolveNames, sourcesOf, type ReadSource } from './source-reads.ts';
import type { ExpressionSource, WorkflowGraph } from './types.ts';

/** What the expressions of a step are checked against. */
export interface ExpressionContext {
  graph: WorkflowGraph;
  catalogue: Catalogue;
  /** Keys of the transitive predecessors of the step. */
  before: ReadonlySet<string>;
  check: CheckExpression;
}

/** A table with rows to iterate over. */
export interface RowsTable {
  Name: string;
  Info: TableInfo;
}

type NamedInput = Pick<Input, 'Name' | 'Info'>;

/** Nothing is known of any expression. */
export const UNKNOWN_EXPRESSION: CheckExpression = () => ({ kind: null, columns: null, whole: null });

/** Maximum number of expressions, and of characters of all of them: they are parsed when a workflow is checked. */
const MAX_EXPRESSIONS = 1_000;
const MAX_CHARACTERS = 200_000;
/** Longer formulas are truncated in messages. */
const MAX_SHOWN = 200;

export const shortFormula = (formula: string): string => {
  const text = shownExpression(formula);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};

/** Returns the problem if a workflow has too many or too long expressions; null if not. */
export function lengthProblem({ Inputs, Steps }: WorkflowGraph): string | null {
  const sources = [...Steps.flatMap(sourcesOf), ...Inputs.flatMap(({ Default }) => Default ?? [])];
  const formulas = sources.flatMap((from) => (from.Kind === 'Expression' ? [from.Formula] : []));
  if (formulas.length > MAX_EXPRESSIONS)
    return `A workflow can have at most ${MAX_EXPRESSIONS.toLocaleString('en-US')} formulas`;
  const length = formulas.reduce((sum, formula) => sum + formula.length, 0);
  return length <= MAX_CHARACTERS
    ? null
    : `The formulas of a workflow can have at most ${MAX_CHARACTERS.toLocaleString('en-US')} characters together`;
}

/** Returns why an expression cannot fill an input, with the formula, the cause and how to fix it; null if it can. */
export function expressionProblem(input: NamedInput, from: ExpressionSource, around: ExpressionContext): string | null {
  const type = typeOfExpression(from, around);
  const problem = 'problem' in type ? type.problem : incompatibilityOf(type, input.Info);
  return problem === null ? null : `'${input.Name}' cannot be calculated by ${shortFormula(from.Formula)}: ${problem}`;
}

export function typeOfExpression(
  from: ExpressionSource,
  around: ExpressionContext,
): ExpressionType | { problem: string } {
  const reads: ExpressionRead[] = [];
  let problem: string | null = null;
  for (const name of resolveNames(around.graph, from)) {
    const read = 'issue' in name ? name.issue : readOf(name.from, name.column, around);
    if (typeof read === 'string') problem ??= read;
    else reads.push(read);
  }
  return problem === null ? around.check(from.Formula, reads) : { problem };
}

/** Returns a text if there is no such value, or if formulas cannot read it. */
function readOf(from: ReadSource, column: string | null, around: ExpressionContext): ExpressionRead | string {
  const shape = shapeOf(from, around);
  if (typeof shape === 'string') return shape;
  if (isOfFiles(shape)) return `'${from.Name}' is a file, which a formula cannot read`;
  if (column === null) return { shape, column: null };
  if (shape.RangeType !== 'RangeWithColumnHeaders')
    return `'${from.Name}' has no columns with names. Leave out [${column}]`;
  const found = shape.ColumnHeaderValues.flatMap((header, at) => (isSameName(header, column) ? [at] : []));
  if (found.length === 0) return `'${from.Name}' has no column '${column}'. Its columns are ${listed(shape)}`;
  if (found.length > 1) return `'${from.Name}' has several columns '${column}'. Choose one by its number with INDEX`;
  return { shape, column: found[0]! };
}

const listed = ({ ColumnHeaderValues }: TableInfo): string => ColumnHeaderValues.map((name) => `'${name}'`).join(', ');

function shapeOf(from: ReadSource, { graph, catalogue, before }: ExpressionContext): TableInfo | string {
  if (from.Kind === 'Input')
    return enteredInfo(graph, from.Name, catalogue) ?? `the type of the input '${from.Name}' is not known. Choose it`;
  const source = findSource(graph, from, catalogue, before);
  return typeof source === 'string' ? `it ${source}` : source.output.Info;
}

/**
 * Returns the table that an expression returns, with the columns that it passes on. If there is none, returns a text that
 * continues 'For its rows, it'.
 */
export function tableOfExpression(from: ExpressionSource, around: ExpressionContext): RowsTable | string {
  const type = typeOfExpression(from, around);
  const Name = shortFormula(from.Formula);
  if ('problem' in type) return `cannot use ${Name}: ${type.problem}`;
  if (around.check === UNKNOWN_EXPRESSION) return { Name, Info: NO_TABLE };
  if (!type.columns)
    return `gets columns without names from ${Name}. Return rows of a table, for example with FILTER, SORT or CHOOSECOLS`;
  const Info: TableInfo = {
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: type.columns.map(({ Usage }) => Usage),
    ColumnHeaderValues: type.columns.map((column) => column.Name),
  };
  return { Name, Info };
}

const NO_TABLE: TableInfo = { RangeType: 'RangeWithColumnHeaders', CellUsages: [], ColumnHeaderValues: [] };
