/** Stores an activity with its new version in one transaction. */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { Inspection } from '#server/executors/executor.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { insertStoredFiles, newFileId } from '#server/files/stored-files.ts';
import type { FidelityReport } from '#shared/contract/fidelity.ts';
import type { ActivityUpload } from '#shared/contract/versions.ts';
import { writeActivity } from './activity-editor.ts';
import type { UploadedWorkbook } from './uploaded-workbook.ts';
import { insertVersion, upsertParameters } from './version-rows.ts';
import type { Publisher } from '#server/access/require-create.ts';

export type Accepted = Pick<Inspection, 'fidelity'> & { definition: ActivityDefinition };

/** The source of a version: a workbook or a stored procedure. */
export type VersionSource = { workbook: UploadedWorkbook } | { ProcedureName: string };

interface StoreDeps {
  database: Database;
  rights: RightsService;
}

export async function storeVersion(
  deps: StoreDeps,
  publisher: Publisher,
  upload: ActivityUpload,
  source: VersionSource,
  { definition, fidelity }: Accepted,
): Promise<{ Id: number; Version: number }> {
  const { knex, dialect } = deps.database;
  return inTransaction(knex, async (trx) => {
    const { UserId } = publisher;
    const file = 'workbook' in source ? await storeFile(trx, UserId, source.workbook) : NO_FILE;
    const name = 'workbook' in source ? null : source.ProcedureName;
    const { Id, Version } = await writeActivity(deps.database, trx, upload, definition, name);
    if (upload.Id === 0) await letEdit(deps, trx, publisher, { Id, Schema: upload.Schema });
    await insertVersion(trx, {
      ActivityId: Id,
      Version,
      ...file,
      ChangeDescription: upload.ChangeDescription,
      UserId,
      Modified: dialect.now(trx),
      Definition: JSON.stringify(definition),
      Fidelity: fidelity && JSON.stringify(fidelity),
      FidelitySummary: fidelity && summaryOf(fidelity),
    });
    await upsertParameters(trx, dialect, Id, definition);
    return { Id, Version };
  });
}

const NO_FILE = { FileId: null, ContentLength: 0 };

async function storeFile(
  trx: Knex.Transaction,
  UserId: number,
  { FileName, stored, fileId: FileId = newFileId() }: UploadedWorkbook,
): Promise<{ FileId: string; ContentLength: number }> {
  const { key: StoreKey, contentLength: ContentLength, sha256: Sha256 } = stored;
  const file = { FileId, StoreKey, FileName, ContentLength, Sha256 };
  await insertStoredFiles(trx, [{ ...file, Purpose: 'version', UserId, ActivityParameterId: null }]);
  return { FileId, ContentLength };
}

function summaryOf(report: FidelityReport): string {
  const { Engine, Formulas, Different, DifferentFeedingOutputs, NotCompared, NotComparedFeedingOutputs } = report;
  return JSON.stringify({
    Engine,
    Formulas,
    Different,
    DifferentFeedingOutputs,
    NotCompared,
    NotComparedFeedingOutputs,
  });
}

/** Lets the creator of an activity edit it, whatever other rights they have in its schema. */
async function letEdit(
  { rights }: StoreDeps,
  trx: Knex.Transaction,
  publisher: Publisher,
  keys: { Id: number; Schema: string },
): Promise<void> {
  if (await rights.has(publisher, 'sk.EditActivity', keys)) return;
  const key = { column: 'Id', value: keys.Id };
  await rights.grantToUser(trx, { UserId: publisher.UserId, RightName: 'sk.EditActivity', key, Access: 1 });
}
