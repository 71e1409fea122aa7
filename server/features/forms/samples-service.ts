import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { TableWorkbookBuilder } from '#server/sheets/table-workbook-builder.ts';
import type { Person } from '#server/base/person.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { sampleCsv, sampleLayout, sampleTable } from './sample-files.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';

export interface SamplesService {
  /**
   * Returns a download token for the sample of an input.
   * @param format 0 for the type in the sample's name, 1 for .xlsx, 2 for .csv
   */
  token(person: Person, inputId: number, format: number): Promise<string>;
}

export interface SamplesDeps {
  database: Database;
  activities: ActivitiesService;
  access: ActivityAccess;
  versions: VersionCatalog;
  files: FilesService;
  workbooks: TableWorkbookBuilder;
}

export function createSamplesService(deps: SamplesDeps): SamplesService {
  const { activities, access, versions, files, workbooks } = deps;
  const { knex } = deps.database;
  return {
    token: async (person, inputId, format) => {
      const missing = new AppError('sampleNotFound', 404, 'There is no sample file');
      const activityId = await activities.activityOfInput(inputId);
      if (activityId === undefined) throw missing;
      const { activity } = await access.require(knex, person, activityId);
      const version = await versions.get(activity.Id, activity.Version);
      const input = version?.inputs.find(({ Id }) => Id === inputId);
      const layout = input && sampleLayout(input);
      const name = input?.Info.SampleFilePath;
      if (!layout || !name) throw missing;
      const extension = format === 0 ? (/\.csv$/i.test(name) ? 'csv' : 'xlsx') : format === 1 ? 'xlsx' : 'csv';
      const content = extension === 'csv' ? sampleCsv(layout) : await workbooks.build(sampleTable(layout));
      return files.tokenForNew(person, name.replace(/\.[^.]+$/, `.${extension}`), content);
    },
  };
}
