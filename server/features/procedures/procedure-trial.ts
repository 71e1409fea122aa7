/** Calls a procedure and rolls back its changes, to learn which result sets it returns. */
import { AppError } from '#server/base/app-error.ts';
import { refusalOf } from '#server/queue/procedures/run-procedures.ts';
import type { RunLogLine, RunOutcome } from '#server/executors/executor.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { ProcedureDefinition } from '#server/executors/procedure-definition.ts';
import type { ProcedureRequest } from '#server/executors/procedure-call.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import type { TrialRun, tryProcedure } from '#shared/contract/procedures.ts';
import { InputShapeError } from '#shared/codecs/input-form.ts';
import { resultColumn } from './describe-procedure.ts';
import type { FoundProcedure } from './procedure-access.ts';
import { definitionProblems, definitionOf, firstSettings } from './procedure-definition-of.ts';

type Values = BodyOf<typeof tryProcedure>['Values'];
type Execute = (request: ProcedureRequest) => Promise<RunOutcome>;

/** In milliseconds. Short, because a person waits for it. */
const TIME_LIMIT = 60_000;
const MAX_MESSAGES = 100;

/** Throws an AppError if the procedure cannot be called with the values, or if it fails. */
export async function tryOut(
  execute: Execute,
  found: FoundProcedure,
  values: Values,
  signal: AbortSignal,
): Promise<TrialRun> {
  const definition = trialDefinition(found, values);
  const procedure = definition.procedure!;
  const results = new Map<number, TrialRun['Results'][number]>();
  let ReturnCode: number | null = null;
  const lines: RunLogLine[] = [];
  const { status } = await answering(() =>
    execute({
      definition,
      inputs: inputsOf(procedure, values),
      onLog: (line) => void lines.push(line),
      onProgress: () => undefined,
      caller: {
        call: async (args, listener) => {
          try {
            await found.connection.procedures.call(
              { procedure: found.procedure, arguments: args, mode: 'trial' },
              {
                signal,
                timeLimit: TIME_LIMIT,
                onMessage: (message) => listener.onMessage(message),
                onRows: ({ result, columns, rows }) => {
                  const known = results.get(result) ?? { Columns: columns.map(resultColumn), Rows: 0 };
                  results.set(result, { ...known, Rows: known.Rows + rows.length });
                },
                onEnd: (outcome) => {
                  ReturnCode = outcome.returnCode;
                  return listener.onEnd(outcome);
                },
              },
            );
          } catch (error) {
            throw refusalOf(error, procedure);
          }
        },
      },
    }),
  );
  const messages = lines.map(({ Message }) => Message);
  if (status === 'Failed' || status === 'LogicError')
    throw new AppError('trialFailed', 422, messages.at(-1) ?? 'The procedure failed');
  const Results = [...results].sort(([one], [other]) => one - other).map(([, result]) => result);
  return { Results, ReturnCode, Messages: messages.slice(0, MAX_MESSAGES) };
}

function trialDefinition(found: FoundProcedure, values: Values): ActivityDefinition {
  const first = firstSettings(found);
  const settings = {
    ...first,
    Parameters: first.Parameters.map((one) => ({
      ...one,
      // The values decide whether a parameter is omitted, regardless of the activity's settings.
      MayBeLeftOut: values.find(({ Name }) => Name === one.Name)?.LeftOut ?? one.MayBeLeftOut,
      Required: false,
    })),
  };
  const definition = definitionOf(found, settings);
  const [problem] = definitionProblems(found, first, definition);
  if (problem !== undefined) throw new AppError('procedureRefused', 422, problem);
  const unknown = values.find(({ Name }) => !settings.Parameters.some((one) => one.Name === Name));
  if (unknown) throw new AppError('parameterNotFound', 400, `The procedure has no parameter '${unknown.Name}'`);
  return definition;
}

function inputsOf({ parameters }: ProcedureDefinition, values: Values): ProcedureRequest['inputs'] {
  return parameters.flatMap(({ parameter, input }) => {
    if (input === null) return [];
    const trialValue = values.find(({ Name }) => Name === parameter);
    return [{ Name: input, value: trialValue && !trialValue.LeftOut ? trialValue.Value : null, files: [] }];
  });
}

async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof InputShapeError ? new AppError('valueInvalid', 400, error.message, { cause: error }) : error;
  }
}
