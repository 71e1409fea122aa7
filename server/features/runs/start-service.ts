/** Starts runs and retries them. A run is stored before the response is sent. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess, VisibleActivity } from '#server/access/activity-access.ts';
import type { FormsService } from '#server/features/forms/forms-service.ts';
import { readValues } from '#server/versions/read-values.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';
import type { PickersService } from '#server/features/pickers/pickers-service.ts';
import { findStoredFiles } from '#server/files/stored-files.ts';
import { startRun, type NewRun, type NewRunInput } from '#server/queue/enqueue-run.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { priorityBandOf, type PriorityBand } from '#server/queue/priority-bands.ts';
import type { Person } from '#server/base/person.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import type { StartBody, StartResult } from '#shared/contract/runs.ts';
import { FORM_ISSUE } from '#shared/rules/input-rules.ts';
import { logEntries } from './run-views.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import { findByUniqueId, listLogEntries, type RunOfForm } from './runs-repository.ts';
import { retryRun } from './retry-run.ts';
import {
  checkStartInputs,
  START_INPUTS_THREAD,
  type CheckedInputs,
  type StartInputs,
} from '#server/queue/start-inputs.ts';

export type { RunOfForm };

export interface StartService {
  /** Performs everything that a start does before it stores anything. Throws the same errors. */
  check(person: Person, body: StartBody, how?: StartOptions): Promise<CheckedStart>;
  /**
   * Checks values of inputs that belong to no activity. They have neither files nor pickers, and nothing is calculated
   * for them.
   */
  checkValues(inputs: readonly Input[], values: readonly RunInputValue[]): Promise<CheckedInputs>;
  start(person: Person, body: StartBody, how?: StartOptions): Promise<StartResult>;
  /**
   * Returns the run of an earlier start with this UniqueId, even if its activity has changed since; null if there is
   * none.
   */
  startedBefore(person: Person, UniqueId: string | null | undefined): Promise<RunOfForm | null>;
  /** See retryRun. */
  retry(person: Person, runId: number, UniqueId: string | null): Promise<{ Id: number }>;
}

/** What a start stores. */
export interface CheckedStart {
  activity: VisibleActivity['activity'];
  rows: NewRunInput[];
}

/** Options of a start that does not come from the activity's own form. */
export interface StartOptions {
  /** If true, the start is refused while a pending run of the activity prevents others, instead of waiting for it. */
  refuseWhilePending?: boolean;
  /** The link and the source run that the start comes from. */
  origin?: { ActivityLinkId: number; SourceRunId: number };
  /** Hash of the token with which a visitor sees the run. */
  publicTokenHash?: string;
  /** Name of the program that starts the run for the person. */
  clientName?: string;
  /** Fair-share key of the run in the queue; defaults to that of the person. */
  fairShareKey?: string;
  /** Files besides the person's own that may be sent. */
  allowedFiles?: ReadonlySet<string>;
  /** Called if the start created a new run, but not if it returns an earlier run of the same form. */
  onNew?: () => void;
  /** Adjusts the inputs, and the values that count as sent. */
  prepare?: (inputs: readonly Input[]) => { inputs: readonly Input[]; values: readonly RunInputValue[] };
}

export interface StartDeps {
  database: Database;
  activities: ActivitiesService;
  forms: FormsService;
  pickers: PickersService;
  activityAccess: ActivityAccess;
  runAccess: RunAccess;
  versions: VersionCatalog;
  signals: RunSignals;
}

const NO_FILES: ReadonlySet<string> = new Set();
const NO_PRESETS: ReadonlyMap<number, string> = new Map();

const checked = (start: StartInputs): Promise<CheckedInputs> =>
  readValues(start.sent, { here: () => checkStartInputs(start), thread: START_INPUTS_THREAD, work: start });

const checkValues = (inputs: readonly Input[], sent: readonly RunInputValue[]): Promise<CheckedInputs> =>
  checked({
    inputs,
    sent,
    lists: new Map(),
    refused: new Map(),
    files: new Map(),
    owner: { userId: 0, allowedFiles: NO_FILES },
  });

interface Runnable {
  activity: VisibleActivity['activity'];
  version: ActivityVersion;
  presets: Awaited<ReturnType<ActivitiesService['presetsOf']>>;
}

export function createStartService(deps: StartDeps): StartService {
  const { activities, activityAccess, versions } = deps;
  const { knex } = deps.database;

  /** Throws an AppError if the person may not run the activity, or if the version cannot be run. */
  async function runnable(person: Person, body: StartBody): Promise<Runnable> {
    const [{ activity, CanRun, HasPresets }, version] = await Promise.all([
      activityAccess.require(knex, person, body.ActivityId),
      versions.get(body.ActivityId, body.ActivityVersion),
    ]);
    if (!CanRun) throw new AppError('activityInactive', 409, 'The activity is not active and cannot be run');
    if (!version) throw new AppError('versionNotFound', 404, 'There is no such version');
    const presets = HasPresets ? await activities.presetsOf(body.ActivityId) : NO_PRESETS;
    return { activity, version, presets };
  }

  async function check(person: Person, body: StartBody, how: StartOptions = {}): Promise<CheckedStart> {
    return checkStart(deps, person, { body, how, found: await runnable(person, body) });
  }

  async function start(person: Person, sent: StartBody, how: StartOptions = {}): Promise<StartResult> {
    const body = { ...sent, UniqueId: sent.UniqueId ?? null };
    let checkedStart: CheckedStart;
    try {
      checkedStart = await checkStart(deps, person, { body, how, found: await runnable(person, body) });
    } catch (error) {
      // If an earlier response was lost, return that run, even if the activity, its lists or the person's rights
      // changed since. If nothing is refused, storing finds that run.
      const before = await startedBefore(person, body.UniqueId);
      if (before) return answerOf(knex, before, body);
      throw error;
    }
    const { activity, rows } = checkedStart;
    const run: NewRun = {
      ActivityId: activity.Id,
      ActivityVersion: body.ActivityVersion,
      UserId: person.UserId,
      UniqueId: body.UniqueId,
      RetryOf: null,
      MemoryCost: activity.MemoryCost,
      SingleRun: activity.SingleRun,
      ...how.origin,
      ...(how.publicTokenHash === undefined ? {} : { PublicTokenHash: how.publicTokenHash }),
      ...(how.clientName === undefined ? {} : { ClientName: how.clientName }),
      ...(how.fairShareKey === undefined ? {} : { TurnOwner: how.fairShareKey }),
    };
    return storeRun(deps, { person, body, run, rows, band: priorityBandOf(activity) }, how);
  }

  async function startedBefore(person: Person, UniqueId: string | null | undefined): Promise<RunOfForm | null> {
    return UniqueId ? ((await findByUniqueId(knex, person.UserId, UniqueId)) ?? null) : null;
  }

  return { check, checkValues, start, startedBefore, retry: (...retried) => retryRun(deps, ...retried) };
}

/**
 * Throws an AppError if the version is outdated and the caller did not explicitly accept that, or if its file was
 * purged.
 */
function requireCurrent({ ActivityVersion, AcceptOutdatedVersion }: StartBody, newest: number, file: unknown): void {
  if (ActivityVersion >= newest) return;
  // Only files of old versions are purged.
  if (!file) throw new AppError('versionPurged', 409, 'The file of this version was purged');
  if (AcceptOutdatedVersion) return;
  const code = 'activityVersionOutdated';
  const message = `The activity has a new version, ${newest}. This start requests version ${ActivityVersion}, which runs only with AcceptOutdatedVersion`;
  throw new AppError(code, 409, message, { answer: { code, ActivityVersion: newest } });
}

async function checkStart(
  { database: { knex }, activities, forms, pickers }: StartDeps,
  person: Person,
  { body, how, found: { activity, version, presets } }: { body: StartBody; how: StartOptions; found: Runnable },
): Promise<CheckedStart> {
  requireCurrent(body, activity.Version, version.definition.procedure ?? version.file);
  const own = await activities.inputsFor(person, activity, version, presets);
  const { inputs, values } = how.prepare?.(own) ?? { inputs: own, values: body.Inputs };
  const fileIds = values.flatMap(({ FileId }) => (FileId ? [FileId] : []));
  const files = new Map((await findStoredFiles(knex, fileIds)).map((file) => [file.FileId, file]));
  const checks = await forms.startChecks(version, inputs, {
    userId: person.UserId,
    uniqueId: body.UniqueId ?? null,
    values,
    files,
  });
  const theirs = { userId: person.UserId, allowedFiles: how.allowedFiles ?? NO_FILES };
  const { modelState, rows } = await checked({ ...checks, inputs, sent: values, files, owner: theirs });
  if (Object.keys(modelState).length > 0) throw new AppError('inputsInvalid', 400, FORM_ISSUE, { modelState });
  await pickers.checkValues(person, version, inputs, rows);
  return { activity, rows };
}

interface StartToStore {
  person: Person;
  body: StartBody;
  run: NewRun;
  rows: readonly NewRunInput[];
  band: PriorityBand;
}

/** Stores the run. If the same form has already started a run, returns that run. */
async function storeRun(
  { database, signals }: StartDeps,
  { person, body, run, rows, band }: StartToStore,
  { refuseWhilePending, onNew }: StartOptions,
): Promise<StartResult> {
  const { knex, dialect } = database;
  try {
    const { Id, Status } = await startRun(database, signals, run, rows, { band, refuseWhilePending });
    onNew?.();
    return { Id, Status, EndTime: null, LogEntries: [] };
  } catch (error) {
    const before = run.UniqueId === null ? undefined : await findByUniqueId(knex, person.UserId, run.UniqueId);
    // The pending run that caused the refusal may be the one that the same form started concurrently.
    const isRefused = error instanceof AppError && error.code === 'alreadyRunning';
    if (before && (isRefused || dialect.classify(error).fault === 'unique')) return answerOf(knex, before, body);
    throw error;
  }
}

/** Returns the result for a run that the same form has already started. */
async function answerOf(knex: Database['knex'], run: RunOfForm, body: StartBody): Promise<StartResult> {
  if (run.ActivityId !== body.ActivityId || run.ActivityVersion !== body.ActivityVersion) {
    throw new AppError('uniqueIdTaken', 409, 'The UniqueId belongs to another start');
  }
  const LogEntries = logEntries(run.Id, await listLogEntries(knex, run.Id));
  return { Id: run.Id, Status: run.Status, EndTime: run.EndTime?.toISOString() ?? null, LogEntries };
}
