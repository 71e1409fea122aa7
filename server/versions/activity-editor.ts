/**
 * Writes the fields of an activity that its editor shows. Rejects a save that would overwrite somebody else's change.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityUpdate } from '#shared/contract/activities.ts';
import type { ActivityUpload } from '#shared/contract/versions.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { nameKey } from './version-catalog.ts';
import type { ActivityRow } from '#server/access/find-activity.ts';
import { insertActivity, lockActivityRow, updateActivity } from './activity-rows.ts';
import { activityNotFound } from '#server/access/activity-access.ts';

/**
 * Inserts a new activity, or updates an existing one with the next version number. `ProcedureName` is null for a
 * workbook.
 */
export async function writeActivity(
  { dialect }: Pick<Database, 'dialect'>,
  trx: Knex.Transaction,
  upload: ActivityUpload,
  definition: ActivityDefinition,
  ProcedureName: string | null = null,
): Promise<{ Id: number; Version: number }> {
  const fields = { ...editableOf(upload), DisplayInfo: JSON.stringify(definition.display) };
  if (upload.Id === 0) {
    const { Schema } = upload;
    const Type = ProcedureName === null ? 'Workbook' : 'StoredProcedure';
    const row = { Type, ProcedureName, Schema, Version: 1, ...fields } as const;
    return { Id: await insertActivity(trx, row), Version: 1 };
  }
  const before = await lockActivityRow(trx, upload.Id);
  if (!before) throw activityNotFound();
  requireRevision(before, upload.Revision);
  const Version = before.Version + 1;
  const procedure = ProcedureName === null ? {} : { ProcedureName };
  await updateActivity(trx, upload.Id, { ...fields, ...procedure, Version, Modified: dialect.now(trx) });
  return { Id: upload.Id, Version };
}

/** An update whose numeric fields are already parsed. */
type StoredUpdate = Omit<ActivityUpdate, 'Order' | 'MemoryCost'> & Pick<ActivityUpload, 'Order' | 'MemoryCost'>;

/** Updates the fields of an activity without uploading a new file. */
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
  'Another user changed this activity after you opened it, so nothing was saved. Open it again to see the current version, or save once more to overwrite their changes.';

/**
 * Throws an AppError 409 if the activity changed after the editor was opened, so that no change silently overwrites
 * another.
 */
function requireRevision({ Revision }: ActivityRow, edited: number | null | undefined): void {
  if (edited === undefined || edited === null || edited === Revision) return;
  throw new AppError('activityChanged', 409, CHANGED_MEANWHILE, {
    modelState: { Revision: [CHANGED_MEANWHILE] },
    answer: { Revision },
  });
}

type Editable = Omit<StoredUpdate, 'Id' | 'Revision'>;

/** Returns the columns of an activity that its editor writes. */
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
