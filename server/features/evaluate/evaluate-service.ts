/**
 * Calculates an activity for many rows of inputs, as a run of each row would. Nothing is stored but a line of the
 * security log.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { stepsOfRuns } from '#server/executors/evaluable.ts';
import type { EvaluatedRows, Executor } from '#server/executors/executor.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { PickersService } from '#server/features/pickers/pickers-service.ts';
import { actorOf } from '#server/access/actor.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';
import type { EvaluateBody } from '#shared/contract/evaluate.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { OUTCOME_TEXT } from '#shared/contract/run-status.ts';
import { FORM_ISSUE } from '#shared/rules/input-rules.ts';
import { checkPicked } from './check-picked.ts';
import { boundCall, type BoundCall } from './bound-call.ts';
import { readOutputNames, readRows, sliceOf, type ReadRows } from './evaluate-request.ts';
import { createEvaluationLog } from './evaluation-log.ts';

export interface EvaluateCall {
  person: Person;
  activityId: number;
  body: EvaluateBody;
  /** IP address of the caller. */
  address: string;
  /** Name of the assistant that makes the call for the person. */
  clientName?: string;
  /** Fair-share key; by default that of the person. */
  fairShareKey?: string;
  /** Further limit of rows. */
  maxRows?: number;
  /** Selects the inputs that the caller may know; all by default. */
  isShown?: (input: Input) => boolean;
  /** Aborts if the caller has left. */
  signal: AbortSignal;
}

export interface Evaluation {
  ActivityId: number;
  Version: number;
  rows: number;
  /** Names of the outputs, in the order of the slices' columns. */
  outputs: string[];
  /** The results in the order of the rows. Throws an AppError if the rest cannot be calculated. */
  slices: () => AsyncGenerator<EvaluatedRows>;
}

export interface EvaluateService {
  /**
   * Resolves when the first rows are calculated. Throws an AppError if the person may not run the activity, if only runs
   * can calculate it, or if names or values for all rows are wrong.
   */
  evaluate(call: EvaluateCall): Promise<Evaluation>;
  /** Ends all evaluations. */
  close(): void;
}

export interface EvaluateDeps {
  database: Database;
  access: ActivityAccess;
  activities: Pick<ActivitiesService, 'inputsFor'>;
  versions: VersionCatalog;
  pickers: Pick<PickersService, 'checkValues'>;
  files: Pick<FileStore, 'read'>;
  executor: Pick<Executor, 'evaluate'>;
  isLicensed: () => Promise<boolean>;
  limits: EvaluateLimits;
}

export interface EvaluateLimits {
  /** Maximum number of rows of a call. */
  rows: number;
  /** Maximum duration of a call. */
  seconds: number;
}

/** What a call calculates. */
interface Work extends ReadRows {
  version: ActivityVersion;
  inputs: readonly Input[];
  outputs: string[];
  owner: string;
}

export function createEvaluateService(deps: EvaluateDeps): EvaluateService {
  const record = createEvaluationLog(deps.database);
  const closing = new AbortController();
  return {
    close: () => closing.abort(new AppError('serverStopping', 503, 'The server is stopping')),
    evaluate: async (call) => {
      const work = await prepare(deps, call);
      const { version, rows, outputs } = work;
      const { ActivityId, Version } = version;
      const bound = boundCall([call.signal, closing.signal], deps.limits.seconds);
      const slices = calculate(deps, work, bound);
      try {
        const first = await slices.next();
        // A refused call leaves no line.
        await record(actorOf(call.person, call.address), { ActivityId, Version, rows, clientName: call.clientName });
        return { ActivityId, Version, rows, outputs, slices: () => withFirst(first, slices) };
      } catch (error) {
        bound.close();
        throw error;
      }
    },
  };
}

async function prepare(deps: EvaluateDeps, call: EvaluateCall): Promise<Work> {
  const { person, activityId, body, isShown = () => true } = call;
  const { activity, CanRun } = await deps.access.require(deps.database.knex, person, activityId);
  if (!CanRun) throw new AppError('activityInactive', 409, 'The activity is not active and cannot be run');
  const version = await deps.versions.get(activityId, body.Version ?? activity.Version);
  if (!version) throw new AppError('versionNotFound', 404, 'There is no such version');
  requireEvaluable(activity.Name, version);
  const [inputs, isLicensed] = await Promise.all([
    deps.activities.inputsFor(person, activity, version),
    deps.isLicensed(),
  ]);
  if (!isLicensed) throw new AppError('notLicensed', 422, OUTCOME_TEXT.NotLicensed!);
  const outputs = readOutputNames(version.outputs, body.Outputs);
  const maxRows = Math.min(deps.limits.rows, call.maxRows ?? Infinity);
  const read = readRows({ Name: activity.Name, Inputs: inputs.filter(isShown) }, body, maxRows);
  await checkPicked(deps.pickers, { person, version, inputs }, read);
  return { ...read, version, inputs, outputs, owner: call.fairShareKey ?? String(person.UserId) };
}

function requireEvaluable(name: string, { definition, file }: ActivityVersion): void {
  const refuse = (message: string): AppError => new AppError('evaluationImpossible', 422, message);
  if (definition.procedure) {
    throw refuse(`"${name}" calls a stored procedure, which only a run can do`);
  }
  const steps = stepsOfRuns(definition.steps);
  if (steps.length > 0) {
    const named = steps.map(({ Step, Action }) => `${Step} (${Action})`).join(', ');
    throw refuse(`Only a run can execute these steps: ${named}`);
  }
  if (!file) throw new AppError('versionPurged', 409, 'The file of this version was purged');
}

/** Rows of the first slice: few, because it is not known yet how long a row takes. */
const FIRST_ROWS = 200;
/** Maximum number of rows that are sent to a thread at once. */
const MAX_SLICE_ROWS = 20_000;

async function* calculate(deps: EvaluateDeps, work: Work, bound: BoundCall): AsyncGenerator<EvaluatedRows> {
  try {
    let next = FIRST_ROWS;
    for (let from = 0; from === 0 || from < work.rows;) {
      const slice = await calculateSlice(deps, work, bound, { from, count: Math.min(next, work.rows - from) });
      yield { ...slice, errors: slice.errors.map((error) => ({ ...error, Row: error.Row + from })) };
      if (work.rows === 0) return;
      from += slice.rows;
      next = Math.min(MAX_SLICE_ROWS, Math.max(1, slice.rows * 3));
    }
  } finally {
    bound.close();
  }
}

async function calculateSlice(
  { executor, files }: EvaluateDeps,
  { version, inputs, given, outputs, owner }: Work,
  { signal, timeLeft }: BoundCall,
  { from, count }: { from: number; count: number },
): Promise<EvaluatedRows> {
  const { ActivityId, Version, definition, file } = version;
  const answer = await executor.evaluate({
    versionKey: `${ActivityId}/${Version}`,
    definition,
    readWorkbook: () => files.read(file!.StoreKey),
    owner,
    inputs: inputs.map(({ Id, Name, HasAccess, PresetValue, PresetValueError }) => {
      const values = given.get(Id);
      const own = { Name, HasAccess, PresetValue, PresetValueError };
      return { ...own, given: values ? sliceOf(values, from, count) : { kind: 'default' } };
    }),
    outputs,
    rows: count,
    timeLimit: timeLeft(),
    signal,
  });
  if ('refused' in answer) throw new AppError('inputsInvalid', 400, FORM_ISSUE, { modelState: answer.refused });
  if ('refusal' in answer) throw new AppError('notCalculated', 422, answer.refusal);
  return answer;
}

async function* withFirst(
  first: IteratorResult<EvaluatedRows>,
  rest: AsyncGenerator<EvaluatedRows>,
): AsyncGenerator<EvaluatedRows> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    // A caller that stops early ends the calculation.
    await rest.return(undefined);
  }
}
