/** Stored procedures of the schemas listed in a connection's settings. */
import { ConnectionError } from '../connection-error.ts';
import type { ConnectionTarget } from '../connection-target.ts';
import type { Bounds } from '../faults.ts';
import { callFaultOf, CallerFault } from './faults.ts';
import { proceduresOfMssql } from './procedures-mssql.ts';
import { proceduresOfPg } from './procedures-pg.ts';
import { ArgumentError } from './types.ts';
import type { CallOptions, CallRequest, Procedures } from './types.ts';
import type { CallBounds, ProcedureDatabase } from './procedure-database.ts';

/** Milliseconds; a person waits for the catalog. */
const CATALOG_TIME_LIMIT = 20_000;

export function createProcedures(target: ConnectionTarget, schemas: readonly string[]): Procedures {
  const database = proceduresOf(target, [...new Set(schemas)]);

  async function bounded<T>(
    { signal, timeLimit }: { signal: AbortSignal; timeLimit: number },
    mode: CallRequest['mode'] | null,
    work: (bounds: CallBounds) => Promise<T>,
  ): Promise<T> {
    const deadline = AbortSignal.timeout(timeLimit);
    const bounds: Bounds = { signal, deadline, timeLimit };
    try {
      return await work({ signal: AbortSignal.any([signal, deadline]), timeLimit });
    } catch (error) {
      const fault = callFaultOf(target, error, bounds, mode);
      const hasLeftTransaction = fault instanceof ConnectionError && fault.kind === 'transactionLeft';
      if (hasLeftTransaction) target.log?.error({ err: fault, connection: target.name }, fault.message);
      throw fault;
    }
  }

  const ofCatalog = (signal: AbortSignal): { signal: AbortSignal; timeLimit: number } => ({
    signal,
    timeLimit: Math.min(CATALOG_TIME_LIMIT, target.timeLimit),
  });
  return {
    list: async (signal) =>
      schemas.length === 0 ? [] : bounded(ofCatalog(signal), null, (bounds) => database.list(bounds)),
    describe: async (name, signal) =>
      schemas.length === 0 ? null : bounded(ofCatalog(signal), null, (bounds) => database.describe(name, bounds)),
    call: async (request, options) => {
      refuseWrongArguments(request);
      const timeLimit = Math.min(options.timeLimit ?? target.timeLimit, target.timeLimit);
      return bounded({ signal: options.signal, timeLimit }, request.mode, (bounds) =>
        database.call(request, bounds, callbacksOf(target, options)),
      );
    },
  };
}

function proceduresOf(target: ConnectionTarget, schemas: readonly string[]): ProcedureDatabase {
  return target.database.dialect.name === 'pg' ? proceduresOfPg(target, schemas) : proceduresOfMssql(target, schemas);
}

function tooManyRows({ name, maxRows }: ConnectionTarget): ConnectionError {
  const message =
    maxRows === 1
      ? `A procedure on the connection '${name}' returns more than 1 row`
      : `A procedure on the connection '${name}' returns more than ${maxRows.toLocaleString('en')} rows`;
  return new ConnectionError('tooManyRows', message);
}

/** Counts rows, and distinguishes errors of the caller from those of the database. */
function callbacksOf(
  target: ConnectionTarget,
  { onMessage, onRows, onEnd }: CallOptions,
): Pick<CallOptions, 'onMessage' | 'onRows' | 'onEnd'> {
  let count = 0;
  return {
    ...(onMessage ? { onMessage } : {}),
    onEnd: async (outcome) => {
      try {
        await onEnd?.(outcome);
      } catch (error) {
        throw new CallerFault(error);
      }
    },
    onRows: async (batch) => {
      count += batch.rows.length;
      if (count > target.maxRows) throw tooManyRows(target);
      try {
        await onRows?.(batch);
      } catch (error) {
        throw new CallerFault(error);
      }
    },
  };
}

/** Rejects missing and unknown arguments before anything is called. */
function refuseWrongArguments({ procedure, arguments: args }: CallRequest): void {
  const { name, parameters, refusals } = procedure;
  if (refusals.length > 0)
    throw new ConnectionError('invalid', `The procedure ${name} cannot be called: ${refusals.join('; ')}`);
  for (const parameter of parameters) {
    const isMissing = !args.has(parameter.name) && parameter.mayBeLeftOut === false;
    if (isMissing)
      throw new ArgumentError(parameter.name, `The parameter ${parameter.name} has no default, and needs a value`);
  }
  const taken = new Set(parameters.filter(({ direction }) => direction !== 'out').map((parameter) => parameter.name));
  const unknown = [...args.keys()].find((one) => !taken.has(one));
  if (unknown !== undefined) throw new ArgumentError(unknown, `The procedure ${name} takes no parameter ${unknown}`);
}
