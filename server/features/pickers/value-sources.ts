/** Prepares the queries of pickers: checks that the person may use the connection, and binds the parameters. */
import { AppError } from '#server/base/app-error.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { NamedConnection } from '#server/connections/types.ts';
import type { PickerQueryDefinition } from '#server/executors/activity-definition.ts';
import type { ActivityVersion, VersionInput } from '#server/versions/version-catalog.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import { parseQueryText, type SqlFragment } from '#shared/codecs/query-text.ts';
import { describeQuery, type ValueSource } from './database-picker.ts';
import type { createParameters } from './picker-parameters.ts';

type Parameters = ReturnType<typeof createParameters>;

export interface ValueSources {
  /** Throws a ConnectionError. */
  of(
    person: Person,
    wanted: { version: ActivityVersion; input: VersionInput; column: number },
    parameters: Parameters,
    signal: AbortSignal,
  ): Promise<ValueSource>;
}

/**
 * Maximum number of cached query descriptions, by version, input and column. A version never changes, but its database
 * may.
 */
const MAX_CACHED_DESCRIPTIONS = 500;

export function createValueSources(connections: ConnectionAccess): ValueSources {
  const described = new Map<string, Pick<ValueSource, 'value' | 'group'>>();
  return {
    of: async (person, { version, input, column }, parameters, signal) => {
      const query = input.pickerQueries?.[column];
      if (!query) throw new ConnectionError('invalid', `The input '${input.Name}' has no picker from a database`);
      const connection = await connections.require(person, query.Connection);
      const fragments = fragmentsOf(connection, query, parameters);
      const key = `${version.ActivityId}/${version.Version}/${input.Id}/${column}`;
      const known = described.get(key) ?? (await describeQuery(connection, fragments, signal));
      described.delete(key);
      described.set(key, known);
      if (described.size > MAX_CACHED_DESCRIPTIONS) described.delete(described.keys().next().value!);
      return { connection, fragments, isExact: input.Info.ExactNumbers === true, ...known };
    },
  };
}

/** Throws a ConnectionError for a query that may not be executed. */
export function fragmentsOf(
  connection: NamedConnection,
  { Query }: PickerQueryDefinition,
  valueOf: Parameters,
): SqlFragment[] {
  const { fragments, problem } = parseQueryText(Query, connection.kind);
  if (problem !== null) throw new ConnectionError('invalid', `The query ${problem}`);
  return fragments.map((fragment) =>
    'text' in fragment ? { text: fragment.text } : { value: valueOf(fragment.parameter) },
  );
}

/**
 * Runs the work and converts a ConnectionError: the database's message is logged, and people learn what they can do.
 */
export async function translateConnectionErrors<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    throw answerOf(log, error);
  }
}

function answerOf(log: Log, error: ConnectionError): AppError {
  const { kind, message } = error;
  if (kind === 'denied') return new AppError('connectionDenied', 403, message, { cause: error });
  if (kind === 'cancelled')
    return new AppError('pickerCancelled', 503, 'The request for the values was cancelled', { cause: error });
  log.warn({ err: error }, 'could not load the values of a picker');
  if (kind === 'unreachable') return new AppError('connectionUnreachable', 503, message, { cause: error });
  if (kind === 'timeLimit')
    return new AppError('pickerTooSlow', 504, 'The search for values took too long: narrow the search', {
      cause: error,
    });
  if (kind === 'missing') return new AppError('connectionMissing', 409, message, { cause: error });
  const text =
    'The values cannot be loaded: the query of this picker does not work. Its author can upload it again to see why.';
  return new AppError('pickerQueryFailed', 409, text, { cause: error });
}
