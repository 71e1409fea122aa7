/** Writes an activity with its new version, whole or not at all. */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityDefinition, Inspection } from '#server/executors/executor.ts';
import type { ReceivedFile } from '#server/features/files/read-multipart.ts';
import type { RightsService } from '#server/features/rights/rights-service.ts';
import { insertStoredFiles, newFileId } from '#server/files/stored-files.ts';
import type { Person } from '#server/base/person.ts';
import type { FidelityReport } from '#shared/contract/fidelity.ts';
import type { ActivityUpload } from '#shared/contract/versions.ts';
import { writeActivity } from '#server/features/activities/activity-editor.ts';
import { insertVersion, upsertParameters } from './versions-repository.ts';

/** Who publishes: a person, or the program itself in an administrator's name. */
export type Publisher = Pick<Person, 'UserId' | 'IsUserAdmin'>;

export type Accepted = Inspection & { definition: ActivityDefinition };

interface StoreDeps {
  database: Database;
  rights: RightsService;
}

export async function storeVersion(
  deps: StoreDeps,
  publisher: Publisher,
  upload: ActivityUpload,
  workbook: ReceivedFile,
  { definition, fidelity }: Accepted,
): Promise<{ Id: number; Version: number }> {
  const { knex, dialect } = deps.database;
  return inTransaction(knex, async (trx) => {
    const FileId = newFileId();
    const { key, contentLength, sha256 } = workbook.stored;
    const file = { FileId, StoreKey: key, FileName: workbook.FileName, ContentLength: contentLength, Sha256: sha256 };
    const { UserId } = publisher;
    await insertStoredFiles(trx, [{ ...file, Purpose: 'version', UserId, ActivityParameterId: null }]);
    const { Id, Version } = await writeActivity(deps.database, trx, upload, definition);
    if (upload.Id === 0) await letEdit(deps, trx, publisher, { Id, Schema: upload.Schema });
    await insertVersion(trx, {
      ActivityId: Id,
      Version,
      FileId,
      ContentLength: contentLength,
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

/** Who made an activity may go on with it, whatever else they may do in its schema. */
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
