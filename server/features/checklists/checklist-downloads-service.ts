/** Downloads all files that a run of a checklist or workflow created, with one folder per step. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { zipFiles } from '#server/files/zip-files.ts';
import type { ReadPlan } from '#server/workflows/workflow-plans.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import { viewerOf } from './checklist-steps.ts';
import { listActivities } from './checklists-repository.ts';
import type { ChecklistRunAccess } from '#server/access/checklist-run-access.ts';
import { listWorkflowFiles, listFileMakers, type WorkflowFileRow } from './checklist-runs-repository.ts';

export interface ChecklistDownloadsService {
  /**
   * Returns a download token of a .zip. The token begins with '<PARTIAL>' if files are missing or the person may not
   * see all of them.
   */
  allFiles(person: Person, runId: number): Promise<string>;
  /** Returns whether the run created any files that the person may see. */
  hasFiles(person: Person, runId: number): Promise<boolean>;
}

export interface ChecklistDownloadsDeps {
  database: Database;
  access: ChecklistAccess;
  runAccess: ChecklistRunAccess;
  readPlan: ReadPlan;
  files: FilesService;
}

const PARTIAL = '<PARTIAL>';
const SOME_MISSING = 'Some files are missing.';
/** Maximum number of concurrent lookups in the file store. */
const LOOKUP_CONCURRENCY = 32;

export function createChecklistDownloadsService(deps: ChecklistDownloadsDeps): ChecklistDownloadsService {
  const { database, access, runAccess, readPlan, files } = deps;
  const { knex } = database;

  return {
    allFiles: async (person, runId) => {
      const { run, visible } = await runAccess.require(person, runId);
      const outputFiles = await listWorkflowFiles(knex, runId);
      if (outputFiles.length === 0) throw new AppError('fileNotFound', 404, 'The run has no files');
      const activities = await listActivities(knex, [...new Set(outputFiles.map(({ ActivityId }) => ActivityId))]);
      const mayView = viewerOf(person, await access.scopes(person), activities);
      const seen = outputFiles.filter(({ ActivityId, UserId }) => mayView(ActivityId, UserId));
      const found: WorkflowFileRow[] = [];
      for (let from = 0; from < seen.length; from += LOOKUP_CONCURRENCY) {
        const part = seen.slice(from, from + LOOKUP_CONCURRENCY);
        const there = await Promise.all(part.map(({ StoreKey }) => files.exists(StoreKey)));
        found.push(...part.filter((_, index) => there[index]));
      }
      if (found.length === 0) throw new AppError('fileMissing', 404, SOME_MISSING);
      const { Graph } = await readPlan(knex, run.PlanId);
      const folders = new Map(
        Graph.Steps.map(({ Key, Name }, index) => [Key, `${String(index + 1).padStart(2, '0')} ${plain(Name)}`]),
      );
      const entries = found.map(({ StepKey, RowKey, FileName, StoreKey }) => ({
        FileName: [folders.get(StepKey) ?? plain(StepKey), ...(RowKey === '' ? [] : [plain(RowKey)]), FileName].join(
          '/',
        ),
        open: () => files.open(StoreKey),
      }));
      const token = await files.tokenForNew(person, `${plain(visible.checklist.Name)} ${runId}.zip`, zipFiles(entries));
      return found.length < outputFiles.length ? PARTIAL + token : token;
    },
    hasFiles: async (person, runId) => {
      const makers = await listFileMakers(knex, runId);
      if (makers.length === 0) return false;
      const activities = await listActivities(knex, [...new Set(makers.map(({ ActivityId }) => ActivityId))]);
      const mayView = viewerOf(person, await access.scopes(person), activities);
      return makers.some(({ ActivityId, UserId }) => mayView(ActivityId, UserId));
    },
  };
}

/**
 * Converts a name to a folder name. It replaces path separators, characters that some file systems forbid, and trailing
 * dots and spaces.
 */
const plain = (name: string): string => name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/[. ]+$/, '_');
