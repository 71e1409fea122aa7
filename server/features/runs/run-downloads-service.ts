/** Creates tokens for downloads of a run: its files, its tables as workbooks, its log. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import type { Person } from '#server/base/person.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import { listInputs, listLogEntries, listOutputs, type LogRow } from './runs-repository.ts';
import { findRunFile, listOutputFiles } from './run-files-repository.ts';
import { zipFiles } from '#server/files/zip-files.ts';
import type { TableInfo, TableSource } from '#server/sheets/table-content.ts';
import type { TableWorkbookBuilder } from '#server/sheets/table-workbook-builder.ts';
import { utcSerial } from '#server/sheets/utc-serial.ts';

export type ParameterKind = 'input' | 'output';

export interface RunDownloadsService {
  file(
    person: Person,
    kind: ParameterKind,
    key: { runId: number; parameterId: number; index: number },
  ): Promise<string>;
  /** @param rowIndices rows to include; null for all */
  table(
    person: Person,
    kind: ParameterKind,
    key: { runId: number; parameterId: number },
    rowIndices: number[] | null,
  ): Promise<string>;
  /**
   * Downloads the files that the run created: a single file as it is, several as a .zip. The token begins with
   * '<PARTIAL>' if files are missing.
   */
  allFiles(person: Person, runId: number): Promise<string>;
  errorReport(person: Person, runId: number): Promise<string>;
}

export interface RunDownloadsDeps {
  database: Database;
  access: RunAccess;
  versions: VersionCatalog;
  files: FilesService;
  workbooks: TableWorkbookBuilder;
  users: Pick<UsersService, 'isInputDownloadDisabled'>;
}

const PARTIAL = '<PARTIAL>';
const SOME_MISSING = 'Some files are missing.';

export function createRunDownloadsService(deps: RunDownloadsDeps): RunDownloadsService {
  const { access, files, workbooks } = deps;
  const { knex } = deps.database;

  return {
    file: async (person, kind, key) => {
      await access.require(knex, person, key.runId);
      if (kind === 'input' && (await deps.users.isInputDownloadDisabled(person))) {
        throw new AppError('inputDownload', 403, 'You may not download input files');
      }
      const file = await findRunFile(knex, kind === 'input' ? 'RunInputs' : 'RunOutputs', key);
      if (!file) throw new AppError('fileNotFound', 404, 'There is no such file');
      return files.tokenFor(person, file, SOME_MISSING);
    },
    table: async (person, kind, key, rowIndices) => {
      const source = await tableSource(deps, person, kind, key);
      return files.tokenForNew(person, `${source.name}.xlsx`, await workbooks.build({ ...source, rowIndices }));
    },
    allFiles: async (person, runId) => {
      const { run } = await access.require(knex, person, runId);
      const outputFiles = await listOutputFiles(knex, runId);
      if (outputFiles.length === 0) throw new AppError('fileNotFound', 404, 'The run has no files');
      if (outputFiles.length === 1) return files.tokenFor(person, outputFiles[0]!, SOME_MISSING);
      const there = await Promise.all(outputFiles.map(({ StoreKey }) => files.exists(StoreKey)));
      const found = outputFiles.filter((_, index) => there[index]);
      if (found.length === 0) throw new AppError('fileMissing', 404, SOME_MISSING);
      const content = zipFiles(found.map(({ FileName, StoreKey }) => ({ FileName, open: () => files.open(StoreKey) })));
      const token = await files.tokenForNew(person, `${run.Name} ${runId}.zip`, content);
      return found.length < outputFiles.length ? PARTIAL + token : token;
    },
    errorReport: async (person, runId) => {
      const { run } = await access.require(knex, person, runId);
      const value = JSON.stringify((await listLogEntries(knex, runId)).map(reportRow));
      const source = { name: 'Log', info: REPORT_INFO, value, rowIndices: null };
      return files.tokenForNew(person, `${run.Name} ${runId} log.xlsx`, await workbooks.build(source));
    },
  };
}

async function tableSource(
  { database: { knex }, access, versions }: RunDownloadsDeps,
  person: Person,
  kind: ParameterKind,
  { runId, parameterId }: { runId: number; parameterId: number },
): Promise<Omit<TableSource, 'rowIndices'>> {
  const { run } = await access.require(knex, person, runId);
  const version = await versions.get(run.ActivityId, run.ActivityVersion);
  const parameters: readonly { Id: number; Name: string; Info: TableInfo }[] =
    (kind === 'input' ? version?.inputs : version?.outputs) ?? [];
  const parameter = parameters.find(({ Id }) => Id === parameterId);
  const rows = await (kind === 'input' ? listInputs(knex, runId) : listOutputs(knex, runId));
  const stored = rows.find((row) => row.ActivityParameterId === parameterId && row.FileId === null);
  if (!parameter || stored?.Value == null) throw new AppError('noData', 404, 'There is no data to download');
  return { name: parameter.Name, info: parameter.Info, value: stored.Value };
}

const REPORT_INFO: TableInfo = {
  RangeType: 'RangeWithColumnHeaders',
  CellUsages: ['Date', 'Number', 'Text', 'Text'],
  ColumnHeaderValues: ['Time (UTC)', 'Status Code', 'Category', 'Message'],
  RowHeaderValues: [],
  Formats: ['yyyy-mm-dd hh:mm:ss', '', '', ''],
};

function reportRow({ Time, StatusCode, Category, Message }: LogRow): unknown[] {
  const category = Category <= 1 ? 'Information' : Category === 2 ? 'Warning' : 'Error';
  return [utcSerial(Time), StatusCode, category, Message];
}
