/** Writes an activity with its new version, whole or not at all. */
import type { Knex } from 'knex';
import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityDefinition, Inspection } from '#server/executors/executor.ts';
import type { ReceivedFile } from '#server/features/files/read-multipart.ts';
import type { RightsService } from '#server/features/rights/rights-service.ts';
import { insertStoredFiles, newFileId } from '#server/files/stored-files.ts';
import type { Person } from '#server/person.ts';
import type { ActivityUpdate, ActivityUpload, FidelityReport } from '#shared/contract/activities.ts';
import { insertActivity, lockActivityRow, updateActivity, type ActivityRow } from './activities-repository.ts';
import { activityNotFound } from './activity-access.ts';
import { nameKey } from './version-catalog.ts';
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
    const { Id, Version } = await writeActivity(deps, trx, upload, definition);
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

function summaryOf({ Engine, Formulas, Different, DifferentFeedingOutputs }: FidelityReport): string {
  return JSON.stringify({ Engine, Formulas, Different, DifferentFeedingOutputs });
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

async function writeActivity(
  { database: { dialect } }: StoreDeps,
  trx: Knex.Transaction,
  upload: ActivityUpload,
  definition: ActivityDefinition,
): Promise<{ Id: number; Version: number }> {
  const fields = { ...editableOf(upload), DisplayInfo: JSON.stringify(definition.display) };
  if (upload.Id === 0) {
    const { Schema } = upload;
    const made = { Type: 'Workbook', ProcedureName: null, Schema, Version: 1, ...fields } as const;
    return { Id: await insertActivity(trx, made), Version: 1 };
  }
  const before = await lockActivityRow(trx, upload.Id);
  if (!before) throw activityNotFound();
  requireRevision(before, upload.Revision);
  const Version = before.Version + 1;
  await updateActivity(trx, upload.Id, { ...fields, Version, Modified: dialect.now(trx) });
  return { Id: upload.Id, Version };
}

/** An update whose numbers are read. */
type StoredUpdate = Omit<ActivityUpdate, 'Order' | 'MemoryCost'> & Pick<ActivityUpload, 'Order' | 'MemoryCost'>;

/** Changes an activity without its file. */
export async function storeFields(
  { knex, dialect }: Database,
  { Id, Revision, ...fields }: StoredUpdate,
): Promise<void> {
  await inTransaction(knex, async (trx) => {
    const before = await lockActivityRow(trx, Id);
    if (!before) throw activityNotFound();
    requireRevision(before, Revision);
    await updateActivity(trx, Id, { ...editableOf(fields), Modified: dialect.now(trx) });
  });
}

const CHANGED_MEANWHILE =
  'Somebody else has changed this activity since you opened it, and nothing was saved. Open it again to see it as it is now, or save once more to write your entries over theirs.';

/** Throws where an editor began with something else than there is now: one change must not silently undo another. */
function requireRevision({ Revision }: ActivityRow, edited: number | null | undefined): void {
  if (edited === undefined || edited === null || edited === Revision) return;
  throw new AppError('activityChanged', 409, CHANGED_MEANWHILE, {
    modelState: { Revision: [CHANGED_MEANWHILE] },
    answer: { Revision },
  });
}

type Editable = Omit<StoredUpdate, 'Id' | 'Revision'>;

/** The columns of an activity that its editor writes. */
export function editableOf(fields: Editable): Editable & { NameKey: string } {
  const { Description, SingleRun, IsActive, Order, MemoryCost } = fields;
  const Name = fields.Name.trim();
  return {
    Name,
    NameKey: nameKey(Name),
    Description,
    SingleRun,
    IsActive,
    Group: fields.Group.trim(),
    Function: fields.Function.trim(),
    Order,
    MemoryCost,
  };
}
