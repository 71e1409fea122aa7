/** Queries of steps. Inputs are bound and conditions compiled; nothing is concatenated into the SQL. */
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import { StepRefused } from '#server/executors/step-services.ts';
import type { QueryCondition, StepQuery, StepRows } from '#server/executors/step-services.ts';
import { readCondition } from '#shared/codecs/condition-columns.ts';
import { conditionSql } from '#shared/codecs/condition-sql.ts';
import { ConditionError } from '#shared/codecs/condition.ts';
import { bindQuery, parseQueryText } from '#shared/codecs/query-text.ts';
import type { SqlKind, SqlParameter, SqlFragment } from '#shared/codecs/query-text.ts';

/** Yields the rows of a query. Leaving the loop or aborting the signal ends the query in the database. */
export async function* readStepRows(
  access: ConnectionAccess,
  person: Holder,
  query: StepQuery,
  signal: AbortSignal,
): AsyncGenerator<StepRows, void, void> {
  try {
    const connection = await access.require(person, query.connection);
    const text = parseQueryText(query.sql, connection.kind);
    if (text.problem) throw new StepRefused('LogicError', `The query on '${connection.name}' ${text.problem}`);
    const bound = bindQuery(text, connection.kind, (name) => valueOf(query, name, connection.kind));
    const { maxRows, timeLimit } = query;
    yield* connection.read(bound, {
      signal,
      ...(maxRows === undefined ? {} : { maxRows }),
      ...(timeLimit === undefined ? {} : { timeLimit }),
    });
  } catch (error) {
    throw stepRefusal(error, signal);
  }
}

function valueOf({ values }: StepQuery, name: string, kind: SqlKind): SqlParameter | SqlFragment[] {
  const value = values[name];
  if (value === undefined) throw new StepRefused('LogicError', `The query has no value for @${name}`);
  return isCondition(value) ? conditionSql(readCondition(value.condition, value.columns), kind) : value;
}

const isCondition = (value: SqlParameter | QueryCondition): value is QueryCondition =>
  typeof value === 'object' && value !== null && 'condition' in value;

/** Converts a connection error to the error that ends the run. If the run was stopped, returns the signal's reason. */
export function stepRefusal(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof ConditionError) return new StepRefused('Failed', error.message, { cause: error });
  if (!(error instanceof ConnectionError)) return error;
  return new StepRefused(error.isOfSetup ? 'LogicError' : 'Failed', error.message, { cause: error });
}
