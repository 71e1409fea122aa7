/**
 * Activities and runs for visitors. All calls use the same services as for users, with a person who holds only the
 * grants of the internet. A token identifies a visitor's run.
 */
import { randomBytes } from 'node:crypto';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { EvaluateCall, EvaluateService, Evaluation } from '#server/features/evaluate/evaluate-service.ts';
import type { FormsService } from '#server/features/forms/forms-service.ts';
import type { PickerColumn, PickersService } from '#server/features/pickers/pickers-service.ts';
import type { ParameterKind, RunDownloadsService } from '#server/features/runs/run-downloads-service.ts';
import type { RunsService } from '#server/features/runs/runs-service.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import type { Person } from '#server/base/person.ts';
import type { Activity, PickerPage, PickerQuery } from '#shared/contract/activities.ts';
import type { UpdateUiBody, UpdateUiResult } from '#shared/contract/forms.ts';
import type { PublicActivity, PublicStartResult } from '#shared/contract/public-runs.ts';
import type { ActivityRun, ProvideInputBody, RunState, StartBody } from '#shared/contract/runs.ts';
import { createPublicRunLimit } from '#server/features/sharing/public-links-service.ts';
import { isInternal, isShown, publicActivity, publicRun, publicState } from './public-views.ts';
import type { PublicVisitor } from '#server/access/public-visitor.ts';
import { createRunToken, hashRunToken, isRunToken } from '#server/access/run-token.ts';
import { NOT_THEIRS } from './public-log.ts';
import { visitorFairShareKey } from './visitor-fair-share.ts';

/** The id of a run, and the token that proves that it is the visitor's. */
export interface RunKey {
  runId: number;
  token: string;
}

export interface PublicRunsService {
  visitor(): Promise<Person>;
  details(activityId: number): Promise<PublicActivity>;
  pick(column: PickerColumn, query: PickerQuery, signal: AbortSignal): Promise<PickerPage>;
  updateUi(body: UpdateUiBody): Promise<UpdateUiResult>;
  /** @param address IP address of the visitor */
  start(body: StartBody, address: string): Promise<PublicStartResult>;
  /** Throws as EvaluateService does. */
  evaluate(call: Omit<EvaluateCall, 'person'>): Promise<Evaluation>;
  /** These throw an AppError 404 if there is no such run or the token is not the run's own. */
  run(key: RunKey): Promise<ActivityRun>;
  state(key: RunKey): Promise<RunState>;
  provideInput(key: RunKey, answer: ProvideInputBody): Promise<void>;
  file(key: RunKey, kind: ParameterKind, of: { parameterId: number; index: number }): Promise<string>;
}

export interface PublicRunsDeps {
  database: Database;
  visitor: PublicVisitor;
  activities: ActivitiesService;
  forms: FormsService;
  pickers: PickersService;
  starts: StartService;
  runs: RunsService;
  downloads: RunDownloadsService;
  evaluations: Pick<EvaluateService, 'evaluate'>;
}

interface Opened {
  /** The visitor. */
  person: Person;
  activity: Activity;
}

export function createPublicRunsService(deps: PublicRunsDeps): PublicRunsService {
  const { activities, starts, runs, downloads } = deps;
  const limit = createPublicRunLimit(deps.database);
  const visitor = (): Promise<Person> => deps.visitor.person();

  /**
   * Returns an activity whose link has runs left. Otherwise, lists of values and the outputs of a form that is being
   * filled in would evade the limit. Requires first that visitors see the activity, so that the limit reveals nothing
   * about others.
   */
  const open = async (activityId: number): Promise<Opened> => {
    const person = await visitor();
    const activity = await activities.details(person, activityId);
    await limit.check(activityId);
    return { person, activity };
  };

  const requireToken = (key: RunKey): Promise<void> => requireRunToken(deps.database, key);

  return {
    visitor,
    details: async (activityId) => {
      const { activity } = await open(activityId);
      return publicActivity(activity, activity.IsRunning);
    },
    pick: async (column, query, signal) => {
      const { person, activity } = await open(column.activityId);
      const { Inputs } = publicActivity(activity, false);
      const input = Inputs.find(({ Id }) => Id === column.inputId);
      if (!input || isInternal(input.Info))
        throw new AppError('pickerNotFound', 404, 'There is no such list of values');
      return deps.pickers.pick(person, column, { ...query, LinkId: null }, signal);
    },
    updateUi: async (body) => updateUiAsVisitor(deps.forms, await open(body.ActivityId), body),
    start: async (body, address) => {
      const { person } = await open(body.ActivityId);
      return limit.counted(body.ActivityId, () => startAsVisitor(starts, person, body, address));
    },
    evaluate: async (call) => {
      const { person } = await open(call.activityId);
      await limit.refuseLimited(call.activityId);
      return evaluateAsVisitor(deps.evaluations, person, call);
    },
    run: async (key) => {
      await requireToken(key);
      return publicRun(await runs.details(await visitor(), key.runId));
    },
    state: async (key) => {
      await requireToken(key);
      return publicState(await runs.state(await visitor(), key.runId));
    },
    provideInput: async (key, answer) => {
      await requireToken(key);
      await runs.provideInput(await visitor(), { ...answer, ActivityRunId: key.runId });
    },
    file: async (key, kind, of) => {
      await requireToken(key);
      return downloads.file(await visitor(), kind, { runId: key.runId, ...of });
    },
  };
}

/** Answers for the inputs alone that visitors see. */
async function updateUiAsVisitor(
  forms: FormsService,
  { person, activity }: Opened,
  body: UpdateUiBody,
): Promise<UpdateUiResult> {
  const answer = await forms.update(person, { ...body, LinkId: null, ActivityRunId: null });
  const { Inputs } = publicActivity(activity, false);
  const shown = new Set(Inputs.map(({ Id }) => Id));
  const isShown = ({ ActivityParameterId }: { ActivityParameterId: number }) => shown.has(ActivityParameterId);
  return {
    ...answer,
    Inputs: answer.Inputs.filter(isShown),
    InputPickerValues: answer.InputPickerValues.filter(isShown),
  };
}

async function startAsVisitor(
  starts: StartService,
  visitor: Person,
  body: StartBody,
  address: string,
): Promise<PublicStartResult> {
  const RunToken = createRunToken();
  // The form id is generated here, so that nobody can reach another visitor's run by sending its form id.
  const UniqueId = randomBytes(16).toString('base64url');
  const started = await starts.start(
    visitor,
    { ...body, UniqueId },
    {
      refuseWhilePending: true,
      publicTokenHash: hashRunToken(RunToken),
      fairShareKey: visitorFairShareKey(address),
    },
  );
  return { ...started, RunToken };
}

/** Maximum number of rows per call. People who need more can sign in. */
const MAX_ROWS = 1000;

async function evaluateAsVisitor(
  evaluations: PublicRunsDeps['evaluations'],
  person: Person,
  call: Omit<EvaluateCall, 'person'>,
): Promise<Evaluation> {
  try {
    const evaluation = await evaluations.evaluate({
      ...call,
      person,
      fairShareKey: visitorFairShareKey(call.address),
      maxRows: MAX_ROWS,
      isShown: (input) => isShown(input) && !isInternal(input.Info),
    });
    return { ...evaluation, slices: () => publicSlices(evaluation) };
  } catch (error) {
    throw forVisitors(error);
  }
}

function forVisitors(error: unknown): unknown {
  if (!(error instanceof AppError) || !OF_THE_SETUP.has(error.code)) return error;
  return new AppError(error.code, error.status, NOT_THEIRS, { cause: error });
}

/** Codes of errors whose messages name cells and steps. */
const OF_THE_SETUP: ReadonlySet<string> = new Set(['evaluationImpossible', 'notCalculated']);

async function* publicSlices({ slices }: Evaluation): ReturnType<Evaluation['slices']> {
  try {
    for await (const slice of slices()) {
      const errors = slice.errors.map((one) => (OF_THE_SETUP.has(one.Code) ? { ...one, Message: NOT_THEIRS } : one));
      yield { ...slice, errors };
    }
  } catch (error) {
    throw forVisitors(error);
  }
}

async function requireRunToken({ knex }: Database, { runId, token }: RunKey): Promise<void> {
  const run = await knex('ActivityRuns').where('Id', runId).first('PublicTokenHash');
  // A run of a user has no token hash, so no token opens it.
  const hash = run?.PublicTokenHash ?? null;
  if (hash === null || !isRunToken(token, hash)) throw new AppError('runNotFound', 404, 'There is no such run');
}
