/** Evaluates the expressions of steps: reads the values that they name, and lets a calculation thread calculate them. */
import { localTime, DAY_MS } from '#server/base/zone-time.ts';
import type { Database } from '#server/db/database.ts';
import type { Executor } from '#server/executors/executor.ts';
import { isSameInputName as isSameName } from '#shared/rules/checklist-rules.ts';
import { shownExpression } from '#shared/rules/workflows/expression-names.ts';
import type {
  ExpressionResult,
  ExpressionToCalculate,
  ExpressionValue,
} from '#shared/rules/workflows/expression-task.ts';
import { resolveNames, type ReadSource } from '#shared/rules/workflows/source-reads.ts';
import type { ExpressionSource, WorkflowGraph } from '#shared/rules/workflows/types.ts';

/** Calculates expressions, with the clock of the portal. */
export interface ExpressionClock {
  database: Database;
  executor: Pick<Executor, 'calculate'>;
  /** The portal's time zone, in which TODAY and NOW are given. */
  timeZone: string;
}

export interface WantedExpression {
  from: ExpressionSource;
  wanted: ExpressionToCalculate['wanted'];
}

/** Returns the value of an input or output; null if it does not exist, a text if it cannot be read. */
export type ReadValue = (from: ReadSource) => Promise<ExpressionValue | string | null>;

/** Maximum milliseconds for the expressions of a step. */
const TIME_LIMIT_MS = 10_000;

/** Serial day of 1970-01-01. */
const FIRST_DAY = 25_569;

/** Returns the result of each expression, in order. */
export async function evaluateExpressions(
  clock: ExpressionClock,
  graph: WorkflowGraph,
  wanted: readonly WantedExpression[],
  read: ReadValue,
): Promise<ExpressionResult[]> {
  const values = createValueList(read);
  const prepared: (ExpressionToCalculate | { problem: string })[] = [];
  for (const one of wanted) prepared.push(await prepare(graph, one, values));
  const expressions = prepared.flatMap((one) => ('problem' in one ? [] : [one]));
  const now = await localNow(clock);
  const task = { values: values.all, expressions, now, timeLimit: TIME_LIMIT_MS };
  const calculated = expressions.length === 0 ? [] : await clock.executor.calculate(task);
  const results = Array.isArray(calculated) ? calculated[Symbol.iterator]() : null;
  const refused = Array.isArray(calculated) ? 'It was not calculated' : calculated.refusal;
  return prepared.map((one) => ('problem' in one ? one : (results?.next().value ?? { problem: refused })));
}

/** Each value is read and sent once, however many expressions read it. */
interface ValueList {
  readonly all: ExpressionValue[];
  /** Returns the index of the value, or a text if it cannot be read. */
  indexOf(from: ReadSource): Promise<number | string>;
}

function createValueList(read: ReadValue): ValueList {
  const all: ExpressionValue[] = [];
  const known = new Map<string, number | string>();
  return {
    all,
    indexOf: async (from) => {
      const key = JSON.stringify([from.Kind, 'Step' in from ? from.Step : '', from.Name.trim().toLowerCase()]);
      const before = known.get(key);
      if (before !== undefined) return before;
      const value = (await read(from)) ?? `there is no longer a value '${from.Name}'`;
      const index = typeof value === 'string' ? value : all.push(value) - 1;
      known.set(key, index);
      return index;
    },
  };
}

async function prepare(
  graph: WorkflowGraph,
  { from, wanted }: WantedExpression,
  values: ValueList,
): Promise<ExpressionToCalculate | { problem: string }> {
  const reads: { value: number; column: number | null }[] = [];
  for (const name of resolveNames(graph, from)) {
    if ('issue' in name) return { problem: name.issue };
    const value = await values.indexOf(name.from);
    if (typeof value === 'string') return { problem: value };
    const headers = values.all[value]!.shape.ColumnHeaderValues;
    const { column } = name;
    const at = column === null ? null : headers.findIndex((header) => isSameName(header, column));
    if (at === -1) return { problem: `'${name.from.Name}' no longer has a column '${column}'` };
    reads.push({ value, column: at });
  }
  return { formula: from.Formula, reads, wanted };
}

/** The local time of the portal as a serial day. */
async function localNow({ database: { knex, dialect }, timeZone }: ExpressionClock): Promise<number> {
  const { Now } = await knex.select({ Now: dialect.now(knex) }).first<{ Now: Date }>();
  return localTime(Now.getTime(), timeZone) / DAY_MS + FIRST_DAY;
}

/** Longer formulas are truncated in messages. */
const MAX_SHOWN = 500;

/** Says which formula has no result, and why. @param of what it was for */
export function expressionFailure(of: string, { Formula }: ExpressionSource, problem: string): string {
  const text = shownExpression(Formula);
  return `The formula for ${of} has no valid result. ${problem}: ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}`;
}
