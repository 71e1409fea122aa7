/**
 * Finds runs of one activity by the value of an input or output. It compares the columns SearchText and SearchNumber,
 * which are indexed together with the run. Equality, comparisons and prefixes use the index. A substring search scans
 * the index entries of that parameter, but not the values themselves.
 */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { ValueCondition } from '#shared/contract/run-history.ts';

/** The stored value of an input without an entry, and of an output without a result. */
const NOTHING = ['null', '""'];

/** @param table alias of ActivityRuns in the query */
export function narrowByValue(query: Knex.QueryBuilder, db: Db, table: string, condition: ValueCondition): void {
  if (!isOfLacking(condition)) {
    void query.whereIn(`${table}.Id`, withValue(db, condition).select('ActivityRunId'));
    return;
  }
  whereNotPurged(query, table, condition);
  const having = withValue(db, oppositeOf(condition)).select(db.raw('1'));
  void query.whereNotExists(having.whereRaw('?? = ??', [`${tableOf(condition)}.ActivityRunId`, `${table}.Id`]));
}

/** Returns whether the condition finds runs by a missing value, which no index contains. */
export const isOfLacking = ({ Operator }: ValueCondition): boolean => Operator === '<>' || Operator === 'empty';

/** Returns the ids of the runs that have the value that the condition wants missing. */
export function runsHaving(db: Db, condition: ValueCondition): Knex.QueryBuilder {
  return withValue(db, oppositeOf(condition)).select('ActivityRunId');
}

const oppositeOf = (condition: ValueCondition): ValueCondition => ({
  ...condition,
  Operator: condition.Operator === '<>' ? '=' : 'filled',
});

/** Excludes runs whose values have been purged and are therefore unknown. */
export function whereNotPurged(query: Knex.QueryBuilder, table: string, { Direction }: ValueCondition): void {
  void query.whereNull(`${table}.${Direction === 'input' ? 'InputsPurgedTime' : 'OutputsPurgedTime'}`);
}

const tableOf = ({ Direction }: ValueCondition): string => (Direction === 'input' ? 'RunInputs' : 'RunOutputs');

function withValue(db: Db, condition: ValueCondition): Knex.QueryBuilder {
  const { ActivityParameterId, Operator, Value } = condition;
  const values = db(tableOf(condition)).where({ ActivityParameterId });
  if (Operator === 'filled') return values.whereNotNull('SearchText').whereNotIn('SearchText', NOTHING);
  if (typeof Value === 'number') return ofSize(values, condition, Value);
  const json = JSON.stringify(Value);
  // Uses the database's own lower case, as the column does.
  const dialect = dialectOf(db);
  if (Operator === '=') return values.where('SearchText', dialect.lower(db, json));
  // Without both quotes, or without the closing one.
  if (Operator === 'contains') return values.where(dialect.contains(db, 'SearchText', json.slice(1, -1)));
  return values.where(dialect.beginsWith(db, 'SearchText', json.slice(0, -1)));
}

function ofSize(values: Knex.QueryBuilder, { Operator, To, Days }: ValueCondition, value: number): Knex.QueryBuilder {
  const column = 'SearchNumber';
  // Up to the end of the day, not to its beginning.
  const upTo = (end: number) => (Days ? values.where(column, '<', end + 1) : values.where(column, '<=', end));
  const above = (end: number) => (Days ? values.where(column, '>=', end + 1) : values.where(column, '>', end));
  if (Operator === '<=') return upTo(value);
  if (Operator === '>') return above(value);
  if (Operator === 'between') return upTo(To ?? value).where(column, '>=', value);
  if (Operator === '=' && Days) return upTo(value).where(column, '>=', value);
  return values.where(column, Operator, value);
}
