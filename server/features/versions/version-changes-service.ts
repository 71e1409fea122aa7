import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { WorkbookComparer } from '#server/executors/workbook/compare/workbook-comparer.ts';
import { discardAfter } from '#server/files/discard-after.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { FindWorkflowIncompatibilities } from '#server/features/checklists/workflow-incompatibilities-service.ts';
import { findLinkIncompatibilities } from '#server/features/links/link-mappings-service.ts';
import type { Person } from '#server/base/person.ts';
import type { VersionChanges, WorkbookChanges } from '#shared/contract/version-changes.ts';
import type { ActivitiesService, PresetTexts } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { compareDefinitions } from './definition-changes.ts';
import { findScheduleIncompatibilities } from './schedule-incompatibilities.ts';
import { presetIssue } from '#server/versions/preset-values.ts';
import { fileIdOfUpload } from '#server/versions/repeated-upload.ts';
import type { ProcedurePublishing } from '#server/features/procedures/procedure-publishing-service.ts';
import type { PublishService } from './publish-service.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';

export interface VersionChangesService {
  /** Returns the differences between two versions. Throws an AppError 404 if one of them does not exist. */
  changes(person: Person, activityId: number, from: number, to: number, signal: AbortSignal): Promise<VersionChanges>;
  /**
   * Publishes the file of an older version as a new one, with the checks of an upload. Returns the new version number.
   */
  rollBack(person: Person, activityId: number, change: RollBack, signal: AbortSignal): Promise<number>;
}

export interface RollBack {
  Version: number;
  ChangeDescription: string;
  /** The idempotency key; null makes another version in any case, as procedures do. */
  UniqueId: string | null;
}

export interface VersionChangesDeps {
  database: Database;
  access: ActivityAccess;
  activities: Pick<ActivitiesService, 'newestVersion' | 'presetsOf'>;
  versions: VersionCatalog;
  files: FileStore;
  comparer: WorkbookComparer;
  publishing: PublishService;
  procedures: ProcedurePublishing;
  findWorkflowIncompatibilities: FindWorkflowIncompatibilities;
}

export function createVersionChangesService(deps: VersionChangesDeps): VersionChangesService {
  const { database, access, activities, versions, files, publishing, procedures } = deps;
  const { knex } = database;

  async function version(activityId: number, number: number): Promise<ActivityVersion> {
    const found = await versions.get(activityId, number);
    if (!found) throw new AppError('versionNotFound', 404, 'There is no such version');
    return found;
  }

  async function newestVersion(activityId: number): Promise<ActivityVersion | null> {
    return (await activities.newestVersion(activityId)) ?? null;
  }

  async function workbookChanges(
    before: ActivityVersion,
    after: ActivityVersion,
    signal: AbortSignal,
  ): Promise<WorkbookChanges | null> {
    if (!before.file || !after.file) return null;
    const [old, now] = await Promise.all([files.read(before.file.StoreKey), files.read(after.file.StoreKey)]);
    return deps.comparer.compare({ before: old, after: now }, signal);
  }

  return {
    changes: async (person, activityId, from, to, signal) => {
      await access.requireEdit(knex, person, activityId);
      const [before, after] = await Promise.all([version(activityId, from), version(activityId, to)]);
      return {
        From: from,
        To: to,
        ...compareDefinitions(before.definition, after.definition),
        Workbook: await workbookChanges(before, after, signal),
        Misfits: [
          ...(await findPresetAndScheduleIncompatibilities(database, after, await activities.presetsOf(activityId))),
          ...(await findLinkIncompatibilities(knex, after, newestVersion)),
          ...(await deps.findWorkflowIncompatibilities(person, after)),
        ],
      };
    },
    rollBack: async (person, activityId, { Version, ChangeDescription, UniqueId }, signal) => {
      const { activity } = await access.requireEdit(knex, person, activityId);
      const sent = { Id: String(activityId), ChangeDescription: describe(Version, ChangeDescription) };
      const fields = { ...sent, RolledBackTo: String(Version) };
      const fileId = fileIdOfUpload(person.UserId, { uploadId: UniqueId ?? undefined, fields, files: [] });
      const before = await publishing.published(fileId);
      if (before !== null) return before.Version;
      const to = await version(activityId, Version);
      const { file } = to;
      if (!file && activity.Type !== 'StoredProcedure')
        throw new AppError('versionFileMissing', 404, 'This activity version file does not exist');
      if (Version === activity.Version) throw new AppError('isNewest', 409, 'This version is already the newest');
      if (!file) return procedures.rollBack(person, activityId, to, sent.ChangeDescription, signal);
      const stored = await files.put(await files.read(file.StoreKey));
      try {
        const workbook = { FileName: file.FileName, stored, fileId };
        return (await publishing.publish(person, sent, workbook, signal, to.definition)).Version;
      } catch (error) {
        await discardAfter(files, [stored.key], error);
        throw error;
      }
    },
  };
}

function describe(version: number, text: string): string {
  const back = `Rolled back to version ${version}`;
  return text.trim() === '' ? back : `${back}: ${text.trim()}`.slice(0, 1000);
}

/** Returns the presets and schedules that do not fit a version. */
async function findPresetAndScheduleIncompatibilities(
  { knex }: Database,
  version: ActivityVersion,
  presets: PresetTexts,
): Promise<string[]> {
  const rows = await knex('ActivityParameters')
    .whereIn('Id', [...presets.keys()])
    .select('Id', 'Name');
  const found = rows.flatMap(({ Id, Name }) => {
    const input = version.inputs.find((own) => own.Id === Id);
    if (!input) return [`The input '${Name}' has a preset value but no longer exists`];
    const issue = presetIssue(input, presets.get(Id)!);
    return issue === null ? [] : [`The preset value of '${Name}' cannot be used: ${issue}`];
  });
  return [...found, ...(await findScheduleIncompatibilities(knex, version, presets))];
}
