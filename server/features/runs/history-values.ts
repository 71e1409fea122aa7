/**
 * Runs of one activity by the value of one of its inputs or outputs. What is compared are the columns SearchText and SearchNumber, of
 * which an index has both beside the run: equality, sizes and beginnings are looked up in it, a part in the middle is looked for in
 * all of that parameter's entries, without a look at the values themselves.
 */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { ValueCondition } from '#shared/contract/run-history.ts';

/** What is kept for an input that nothing was entered into, and for an output that came to nothing. */
const NOTHING = ['null', '""'];

/** @param table alias of ActivityRuns in the query */
export function narrowByValue(query: Knex.QueryBuilder, db: Db, table: string, condition: ValueCondition): void {
  if (!isOfLacking(condition)) {
    void query.whereIn(`${table}.Id`, withValue(db, condition).select('ActivityRunId'));
    return;
  }
  whereKept(query, table, condition);
  const having = withValue(db, oppositeOf(condition)).select(db.raw('1'));
  void query.whereNotExists(having.whereRaw('?? = ??', [`${tableOf(condition)}.ActivityRunId`, `${table}.Id`]));
}

/** Whether the condition finds runs by what they do not have; no index knows of those. */
export const isOfLacking = ({ Operator }: ValueCondition): boolean => Operator === '<>' || Operator === 'empty';

/** Numbers of the runs that do have what the condition wants lacking. */
export function runsHaving(db: Db, condition: ValueCondition): Knex.QueryBuilder {
  return withValue(db, oppositeOf(condition)).select('ActivityRunId');
}

const oppositeOf = (condition: ValueCondition): ValueCondition => ({
  ...condition,
  Operator: condition.Operator === '<>' ? '=' : 'filled',
});

/** Nobody knows what was in those that are gone. */
export function whereKept(query: Knex.QueryBuilder, table: string, { Direction }: ValueCondition): void {
  void query.whereNull(`${table}.${Direction === 'input' ? 'InputsPurgedTime' : 'OutputsPurgedTime'}`);
}

const tableOf = ({ Direction }: ValueCondition): string => (Direction === 'input' ? 'RunInputs' : 'RunOutputs');

function withValue(db: Db, condition: ValueCondition): Knex.QueryBuilder {
  const { ActivityParameterId, Operator, Value } = condition;
  const values = db(tableOf(condition)).where({ ActivityParameterId });
  if (Operator === 'filled') return values.whereNotNull('SearchText').whereNotIn('SearchText', NOTHING);
  if (typeof Value === 'number') return ofSize(values, condition, Value);
  const json = JSON.stringify(Value);
  // The database's own lower case, as in the column.
  const dialect = dialectOf(db);
  if (Operator === '=') return values.where('SearchText', dialect.lower(db, json));
  // Without the quotes around it, or without the one at its end.
  if (Operator === 'contains') return values.where(dialect.contains(db, 'SearchText', json.slice(1, -1)));
  return values.where(dialect.beginsWith(db, 'SearchText', json.slice(0, -1)));
}

function ofSize(values: Knex.QueryBuilder, { Operator, To, Days }: ValueCondition, value: number): Knex.QueryBuilder {
  const column = 'SearchNumber';
  // Up to the end of a day, not to its beginning.
  const upTo = (end: number) => (Days ? values.where(column, '<', end + 1) : values.where(column, '<=', end));
  const above = (end: number) => (Days ? values.where(column, '>=', end + 1) : values.where(column, '>', end));
  if (Operator === '<=') return upTo(value);
  if (Operator === '>') return above(value);
  if (Operator === 'between') return upTo(To ?? value).where(column, '>=', value);
  if (Operator === '=' && Days) return upTo(value).where(column, '>=', value);
  return values.where(column, Operator, value);
}
