/** Replays the cases of an activity with an upload before it becomes the next version. */
import type { Knex } from 'knex';
import { randomUUID } from 'node:crypto';
import { AppError } from '#server/base/app-error.ts';
import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { discardAfter } from '#server/files/discard-after.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { insertStoredFiles, newFileId } from '#server/files/stored-files.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import type { ReplayedCase } from '#shared/contract/test-beds.ts';
import type { Candidate, Replayer } from './replay-cases.ts';
import { listCases, readSettings, writeResult, type StoredCase } from './test-beds-repository.ts';

export interface UploadedVersion {
  ActivityId: number;
  UserId: number;
  definition: ActivityDefinition;
  FileName: string;
  StoreKey: string;
  /** The fields of the upload as sent. */
  fields: Readonly<Record<string, string>>;
}

export interface TestGate {
  /**
   * Returns a function to call with the version number once the version exists. It never throws: the version is
   * published even if its results cannot be stored. Throws an AppError 422 if required cases fail; the upload is then
   * stored outside of the versions.
   */
  pass(upload: UploadedVersion, signal: AbortSignal): Promise<(version: number) => Promise<void>>;
}

export interface TestGateDeps {
  database: Database;
  files: Pick<FileStore, 'read' | 'put' | 'delete'>;
  replayer: Replayer;
  log: Pick<Log, 'warn'>;
}

export function createTestGate({ database, files, replayer, log }: TestGateDeps): TestGate {
  const { knex, dialect } = database;
  return {
    pass: async (upload, signal) => {
      const cases = upload.ActivityId === 0 ? [] : await listCases(knex, upload.ActivityId);
      if (cases.length === 0) return async () => undefined;
      const { MustPass, Checks } = await readSettings(knex, upload.ActivityId);
      const candidate: Candidate = {
        Version: null,
        versionKey: `${upload.ActivityId}/upload ${randomUUID()}`,
        definition: upload.definition,
        fileName: upload.FileName,
        readWorkbook: () => files.read(upload.StoreKey),
        presets: await presetsByName(knex, upload.ActivityId),
      };
      const results = await replayer.replay(candidate, cases, Checks, signal);
      const report = cases.map(({ Name }, at) => ({ Name, Result: results[at]! }));
      const failed = report.filter(({ Result }) => Result.Outcome !== 'Passed');
      if (MustPass && failed.length > 0) {
        await storeRefusedVersion({ database, files }, upload, report);
        throw refusal(failed.length, cases.length);
      }
      return async (Version) => {
        try {
          for (const [at, { Id }] of cases.entries())
            await writeResult(knex, Id, { ...results[at]!, Version }, dialect.now(knex));
        } catch (err) {
          const { ActivityId } = upload;
          log.warn({ err, ActivityId, Version }, 'the results of test cases could not be stored');
        }
      };
    },
  };
}

function refusal(failed: number, all: number): AppError {
  const cases =
    all === 1 ? 'The test case of the activity did not pass' : `${failed} of ${all} test cases did not pass`;
  const text = `${cases}, so the workbook was not published. It was saved, with its report, under the test cases of the activity.`;
  return new AppError('testCasesFailed', 422, text);
}

export async function presetsByName(knex: Knex, ActivityId: number): Promise<Map<string, string>> {
  const rows = await knex('ActivityParameters')
    .where({ ActivityId, Direction: 'input' })
    .whereNotNull('PresetValue')
    .select<{ Name: string; PresetValue: string }[]>('Name', 'PresetValue');
  return new Map(rows.map(({ Name, PresetValue }) => [nameKey(Name), PresetValue]));
}

/** Stores a copy of the file, because the upload's own file is deleted with the upload. */
async function storeRefusedVersion(
  { database: { knex }, files }: Pick<TestGateDeps, 'database' | 'files'>,
  { ActivityId, UserId, FileName, StoreKey, fields }: UploadedVersion,
  report: readonly ReplayedCase[],
): Promise<void> {
  const { key, contentLength, sha256 } = await files.put(await files.read(StoreKey));
  const file = { FileId: newFileId(), StoreKey: key, FileName, ContentLength: contentLength, Sha256: sha256 };
  const { Revision: _, ...Fields } = fields;
  try {
    await inTransaction(knex, async (trx) => {
      await insertStoredFiles(trx, [{ ...file, Purpose: 'version', UserId, ActivityParameterId: null }]);
      await trx('RefusedVersions').insert({
        ActivityId,
        UserId,
        FileId: file.FileId,
        Fields: JSON.stringify(Fields),
        Report: JSON.stringify(report),
      });
    });
  } catch (error) {
    await discardAfter(files, [key], error);
    throw error;
  }
}

/** Returns the cases to replay with an existing version. */
export const casesToReplay = async (knex: Knex, activityId: number, caseId: number | null): Promise<StoredCase[]> =>
  (await listCases(knex, activityId)).filter(({ Id }) => caseId === null || Id === caseId);
