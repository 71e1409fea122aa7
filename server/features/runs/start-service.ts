/** Starts runs, anew or again. What was answered is stored. */
import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/features/activities/activity-access.ts';
import type { FormsService } from '#server/features/activities/forms-service.ts';
import type { VersionCatalog } from '#server/features/activities/version-catalog.ts';
import type { PickersService } from '#server/features/pickers/pickers-service.ts';
import { findStoredFiles } from '#server/files/stored-files.ts';
import type { NewRun } from '#server/jobs/enqueue-run.ts';
import type { RunSignals } from '#server/jobs/run-signals.ts';
import { startRun } from '#server/jobs/start-run.ts';
import type { Person } from '#server/person.ts';
import type { StartBody, StartResult } from '#shared/contract/runs.ts';
import { logEntries } from './run-views.ts';
import type { RunAccess } from './run-access.ts';
import { findByUniqueId, listLogEntries } from './runs-repository.ts';
import { retryRun } from './retry-run.ts';
import { checkStartInputs } from './start-inputs.ts';

export interface StartService {
  start(person: Person, body: StartBody): Promise<StartResult>;
  /** Runs again what did not succeed, with the same version and inputs. */
  retry(person: Person, runId: number): Promise<{ Id: number }>;
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

export function createStartService(deps: StartDeps): StartService {
  const { database, activities, forms, pickers, activityAccess, versions, signals } = deps;
  const { knex, dialect } = database;

  /** The run that the same form has started already. */
  async function startedBefore(person: Person, body: StartBody): Promise<StartResult> {
    const run = await findByUniqueId(knex, person.UserId, body.UniqueId ?? '');
    if (run?.ActivityId !== body.ActivityId || run.ActivityVersion !== body.ActivityVersion) {
      throw new AppError('uniqueIdTaken', 409, 'The UniqueId belongs to another start');
    }
    const LogEntries = logEntries(run.Id, await listLogEntries(knex, run.Id));
    return { Id: run.Id, Status: run.Status, EndTime: run.EndTime?.toISOString() ?? null, LogEntries };
  }

  async function start(person: Person, body: StartBody): Promise<StartResult> {
    const [{ activity, CanRun }, version, presets] = await Promise.all([
      activityAccess.require(knex, person, body.ActivityId),
      versions.get(body.ActivityId, body.ActivityVersion),
      activities.presetsOf(body.ActivityId),
    ]);
    if (!CanRun) throw new AppError('activityInactive', 409, 'The activity is not active and cannot be run');
    if (!version) throw new AppError('versionNotFound', 404, 'There is no such version');
    // Only files of old versions are purged.
    if (!version.file && body.ActivityVersion < activity.Version) {
      throw new AppError('versionPurged', 409, 'The file of this version was purged');
    }
    const inputs = await activities.inputsFor(person, activity, version, presets);
    const fileIds = body.Inputs.flatMap(({ FileId }) => (FileId ? [FileId] : []));
    const files = new Map((await findStoredFiles(knex, fileIds)).map((file) => [file.FileId, file]));
    const sent = { userId: person.UserId, uniqueId: body.UniqueId, values: body.Inputs, files };
    const lists = await forms.listItems(version, inputs, sent);
    const rows = checkStartInputs(lists, inputs, body.Inputs, files, person.UserId);
    await pickers.checkValues(person, version, inputs, rows);
    const run: NewRun = {
      ActivityId: activity.Id,
      ActivityVersion: body.ActivityVersion,
      UserId: person.UserId,
      UniqueId: body.UniqueId,
      RetryOf: null,
      MemoryCost: activity.MemoryCost,
      SingleRun: activity.SingleRun,
    };
    try {
      const { Id, Status } = await startRun(database, signals, run, rows);
      return { Id, Status, EndTime: null, LogEntries: [] };
    } catch (error) {
      if (body.UniqueId === null || dialect.classify(error).fault !== 'unique') throw error;
      return startedBefore(person, body);
    }
  }

  return { start, retry: (person, runId) => retryRun(deps, person, runId) };
}
