import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { FidelityReport } from '#shared/contract/fidelity.ts';
import type { activityVersions, allVersions, VersionItem } from '#shared/contract/versions.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import {
  findFidelity,
  findVersionFile,
  listVersionRows,
  listVersionsOf,
  listVisibleSchemas,
  type VersionRow,
} from './versions-repository.ts';

export interface VersionsService {
  all(person: Person, query: BodyOf<typeof allVersions>): Promise<ResultOf<typeof allVersions>>;
  of(person: Person, activityId: number): Promise<ResultOf<typeof activityVersions>>;
  /** Returns the newest versions of an activity. The caller must ensure that the activity may be seen. */
  newest(activityId: number, limit: number): Promise<{ Versions: VersionItem[]; HasMore: boolean }>;
  /** Returns a download token for the workbook of a version. */
  download(person: Person, activityId: number, version: number): Promise<string>;
  fidelity(person: Person, activityId: number, version: number): Promise<FidelityReport>;
}

const FILE_MISSING = 'This activity version file does not exist';

export interface VersionsDeps {
  database: Database;
  access: ActivityAccess;
  activities: Pick<ActivitiesService, 'lastRunOf'>;
  files: FilesService;
}

export function createVersionsService({ database, access, activities, files }: VersionsDeps): VersionsService {
  const { knex } = database;
  return {
    all: async (person, { ApproxRows, Schema, FetchSchemas, ModifiedMin }) => {
      const scopes = await access.scopes(person);
      const before = ModifiedMin ? new Date(ModifiedMin) : null;
      const page = await listVersionRows(knex, scopes, { limit: ApproxRows, before, schema: Schema || null });
      return {
        Schemas: FetchSchemas ? await listVisibleSchemas(knex, scopes) : [],
        ListItems: { Items: page.rows.map(versionItem) },
        HasMore: page.HasMore,
      };
    },
    of: async (person, activityId) => {
      const visible = await access.require(knex, person, activityId);
      const { activity } = visible;
      const lastRun = await activities.lastRunOf(person, visible);
      const rows = await listVersionsOf(knex, activityId);
      return { Name: activity.Name, LastRunId: lastRun?.Id ?? null, Versions: rows.map(versionItem) };
    },
    newest: async (activityId, limit) => {
      const rows = await listVersionsOf(knex, activityId, limit + 1);
      return { Versions: rows.slice(0, limit).map(versionItem), HasMore: rows.length > limit };
    },
    download: async (person, activityId, version) => {
      await access.requireEdit(knex, person, activityId);
      const file = await findVersionFile(knex, activityId, version);
      if (!file) throw new AppError('versionFileMissing', 404, FILE_MISSING);
      return files.tokenFor(person, file, FILE_MISSING);
    },
    fidelity: async (person, activityId, version) => {
      await access.require(knex, person, activityId);
      const report = await findFidelity(knex, activityId, version);
      if (report === undefined) throw new AppError('versionNotFound', 404, 'There is no such version');
      if (report === null) throw new AppError('noFidelity', 404, 'This version has no fidelity report');
      return JSON.parse(report) as FidelityReport;
    },
  };
}

function versionItem(row: VersionRow): VersionItem {
  const { ActivityId, Schema, Name, Version, Modified, ChangeDescription, ContentLength, FidelitySummary } = row;
  return {
    Id: ActivityId,
    Schema,
    Name,
    Version,
    Modified: Modified.toISOString(),
    UserFullName: fullName(row),
    ChangeDescription,
    ContentLength,
    Fidelity: FidelitySummary === null ? null : (JSON.parse(FidelitySummary) as VersionItem['Fidelity']),
  };
}
