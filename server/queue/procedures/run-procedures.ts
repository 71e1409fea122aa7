/**
 * Runs stored-procedure activities: checks the person's right to the connection and that the procedure is unchanged,
 * then calls it.
 */
import type { Holder } from '#server/base/person.ts';
import { wrapConnectionAccess, type ConnectionAccess } from '#server/connections/connection-access.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { ProcedureDescription } from '#server/base/procedure-types.ts';
import { ArgumentError, ProcedureError } from '#server/connections/procedures/types.ts';
import type { NamedConnection } from '#server/connections/types.ts';
import type { RunOutcome } from '#server/executors/executor.ts';
import type { ProcedureDefinition } from '#server/executors/procedure-definition.ts';
import { ProcedureRefused } from '#server/executors/procedure-call.ts';
import type { ProcedureCaller, ProcedureRequest } from '#server/executors/procedure-call.ts';
import type { AskDatabase } from '#server/queue/until-reachable.ts';
import { Category, LogCode } from '#shared/rules/log-codes.ts';

export interface RunProceduresDeps {
  connections: ConnectionAccess;
  /**
   * Returns the person on whose behalf a run executes, with their current rights; undefined if the person no longer
   * exists.
   */
  holderOf: (runId: number) => Promise<Holder | undefined>;
  execute: (request: ProcedureRequest) => Promise<RunOutcome>;
}

export type ProcedureRun = Omit<ProcedureRequest, 'caller'> & {
  Id: number;
  ActivityVersion: number;
  /** Milliseconds. */
  timeLimit: number;
  /** Aborting ends the call in the database; `run` then rejects with its reason. */
  signal: AbortSignal;
  ask: AskDatabase;
  /** Writes that the run has started. Called before the procedure, so no other worker calls the procedure again. */
  writeStart: () => Promise<void>;
};

export interface RunProcedures {
  run(run: ProcedureRun): Promise<RunOutcome>;
}

export function createRunProcedures(deps: RunProceduresDeps): RunProcedures {
  return {
    run: (run) => {
      const { definition, inputs, onLog, onProgress } = run;
      return deps.execute({ definition, inputs, onLog, onProgress, caller: callerFor(deps, run) });
    },
  };
}

function callerFor(deps: RunProceduresDeps, run: ProcedureRun): ProcedureCaller {
  const { signal, timeLimit, definition } = run;
  const { procedure } = definition;
  return {
    call: async (args, listener) => {
      if (!procedure) throw new Error('the version is none of a stored procedure');
      try {
        const connection = await connectionFor(deps, run, procedure);
        const described = await asPinned(connection, procedure, run);
        await run.writeStart();
        signal.throwIfAborted();
        await connection.procedures.call(
          { procedure: described, arguments: args, mode: procedure.settings.CommitsByItself ? 'own' : 'transaction' },
          { signal, timeLimit, ...listener },
        );
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw refusalOf(error, procedure);
      }
    },
  };
}

async function connectionFor(
  { holderOf, connections }: RunProceduresDeps,
  { Id, ask }: ProcedureRun,
  { connection }: ProcedureDefinition,
): Promise<NamedConnection> {
  const holder = await ask(() => holderOf(Id));
  if (holder) return wrapConnectionAccess(connections, ask).require(holder, connection);
  throw refused('Failed', LogCode.StepRefused, 'The person who started the run may no longer use connections');
}

/** Describes the procedure as it is now. Throws if it has changed since the version was made. */
async function asPinned(
  { procedures }: NamedConnection,
  { pinned }: ProcedureDefinition,
  { signal, ActivityVersion }: ProcedureRun,
): Promise<ProcedureDescription> {
  const described = await procedures.describe(pinned.name, signal);
  if (described?.signature === pinned.signature && described.kind === pinned.kind) return described;
  const text = `The procedure has changed since version ${ActivityVersion}`;
  throw refused('LogicError', LogCode.ProcedureChanged, text);
}

/** Converts the error of a failed call into one with a message for people. Unexpected errors are returned unchanged. */
export function refusalOf(error: unknown, procedure: ProcedureDefinition): unknown {
  if (error instanceof ArgumentError) {
    const input = procedure.parameters.find(({ parameter }) => parameter === error.parameter)?.input;
    const text = input && input !== error.parameter ? `'${input}': ${error.message}` : error.message;
    return refused('Failed', LogCode.InputRefused, text, error);
  }
  if (error instanceof ProcedureError) {
    const text = `${error.message} (${locationText(error)})`;
    return error.isOfSetup
      ? refused('LogicError', LogCode.Setup, text, error)
      : refused('Failed', LogCode.ProcedureFailed, text, error);
  }
  if (!(error instanceof ConnectionError)) return error;
  const { kind, message } = error;
  if (kind === 'timeLimit') return refused('Failed', LogCode.TooLong, message, error);
  return error.isOfSetup
    ? refused('LogicError', LogCode.Setup, message, error)
    : refused('Failed', LogCode.StepRefused, message, error);
}

/** Formats where the error happened: 'error 50001, procedure sales.close_month, line 12'. */
function locationText({ number, procedure, line }: ProcedureError): string {
  return [
    ...(number === '' ? [] : [`error ${number}`]),
    ...(procedure === null ? [] : [`procedure ${procedure}`]),
    ...(line === null ? [] : [`line ${line}`]),
  ].join(', ');
}

const refused = (
  status: 'Failed' | 'LogicError',
  StatusCode: number,
  Message: string,
  cause?: unknown,
): ProcedureRefused => new ProcedureRefused(status, { Message, StatusCode, Category: Category.Error }, cause);
