/** A workbook becomes an activity, or a new version of one. What does not become one leaves nothing behind. */
import type { Knex } from 'knex';
import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityDefinition, Executor, Inspection } from '#server/executors/executor.ts';
import type { RightsService } from '#server/features/rights/rights-service.ts';
import type { ReceivedFile } from '#server/features/files/read-multipart.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { insertStoredFiles, newFileId } from '#server/files/stored-files.ts';
import type { Person } from '#server/person.ts';
import type { ActivityUpdate, ActivityUpload } from '#shared/contract/activities.ts';
import { activityNameIssue, activitySubmitIssue } from '#shared/rules/activity-rules.ts';
import type { ActivityAccess } from './activity-access.ts';
import { activityNotFound } from './activity-access.ts';
import { insertActivity, listSchemas, lockActivityRow, updateActivity } from './activities-repository.ts';
import { checkUpload, NEW_ACTIVITY, readUploadFields, type UploadFields } from './upload-fields.ts';
import { nameKey } from './version-catalog.ts';
import { insertVersion, upsertParameters } from './versions-repository.ts';

/** Who publishes: a person, or the program itself in an administrator's name. */
export type Publisher = Pick<Person, 'UserId' | 'IsUserAdmin'>;

export interface PublishService {
  /**
   * @param sent the text fields as they came; of a new version those not sent stay as they are.
   * Answers id and version. The caller takes the file back from the store when this throws.
   */
  publish(
    person: Publisher,
    sent: Readonly<Record<string, string>>,
    workbook: ReceivedFile | undefined,
    signal: AbortSignal,
  ): Promise<{ Id: number; Version: number }>;
  /** Changes an activity without its file. */
  update(person: Person, changes: ActivityUpdate): Promise<void>;
}

export interface PublishDeps {
  database: Database;
  rights: RightsService;
  access: ActivityAccess;
  files: FileStore;
  executor: Executor;
}

type Editable = Omit<ActivityUpdate, 'Id'>;

export function createPublishService({ database, rights, access, files, executor }: PublishDeps): PublishService {
  const { knex, dialect } = database;

  /** What the activity begins with, or has; throws where the person may not publish it. */
  async function requireRight(person: Publisher, { Id = 0, Schema = '' }: UploadFields): Promise<ActivityUpload> {
    if (Id !== 0) {
      const { activity } = await access.requireEdit(knex, person, Id);
      const { NameKey: _, ...editable } = editableOf(activity);
      return { ...NEW_ACTIVITY, ...editable, Id, Schema: activity.Schema };
    }
    const schemas = await listSchemas(knex);
    const exists = schemas.some(({ Name }) => Name === Schema);
    // Whether a schema exists is told only to those who may use it.
    if (!exists || !(await rights.has(person, 'sk.CreateActivity', { Schema }))) {
      throw new AppError('schemaNotAllowed', 403, 'You may not create activities in this schema');
    }
    return { ...NEW_ACTIVITY, Name: '', Schema };
  }

  async function store(
    person: Publisher,
    upload: ActivityUpload,
    workbook: ReceivedFile,
    { definition, fidelity }: Inspection & { definition: ActivityDefinition },
  ): Promise<{ Id: number; Version: number }> {
    return inTransaction(knex, async (trx) => {
      const { key, contentLength, sha256 } = workbook.stored;
      const file = { FileId: newFileId(), StoreKey: key, FileName: workbook.FileName, ContentLength: contentLength };
      await insertStoredFiles(trx, [
        { ...file, Sha256: sha256, Purpose: 'version', UserId: person.UserId, ActivityParameterId: null },
      ]);
      const { Id, Version } = await writeActivity(trx, upload, definition);
      await insertVersion(trx, {
        ActivityId: Id,
        Version,
        FileId: file.FileId,
        ContentLength: contentLength,
        ChangeDescription: upload.ChangeDescription,
        UserId: person.UserId,
        Modified: dialect.now(trx),
        Definition: JSON.stringify(definition),
        Fidelity: fidelity ? JSON.stringify(fidelity) : null,
        FidelitySummary: fidelity
          ? JSON.stringify({
              Formulas: fidelity.Formulas,
              Different: fidelity.Different,
              DifferentFeedingOutputs: fidelity.DifferentFeedingOutputs,
            })
          : null,
      });
      await upsertParameters(trx, dialect, Id, definition);
      return { Id, Version };
    });
  }

  async function writeActivity(
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
    const Version = before.Version + 1;
    await updateActivity(trx, upload.Id, { ...fields, Version, Modified: dialect.now(trx) });
    return { Id: upload.Id, Version };
  }

  return {
    publish: async (person, sent, workbook, signal) => {
      const { fields, orderInvalid } = readUploadFields(sent);
      const before = await requireRight(person, fields);
      const upload: ActivityUpload = { ...before, ...fields, Schema: before.Schema };
      const HasFile = workbook !== undefined;
      checkSubmission({ ...WORKBOOK, ...upload, Order: orderInvalid ? undefined : upload.Order, HasFile });
      checkUpload(upload);
      if (!workbook) throw new AppError('fileMissing', 400, 'File must be uploaded');
      const bytes = await files.read(workbook.stored.key);
      const inspection = await executor.inspect(
        { fileName: workbook.FileName, bytes, acceptUnsupported: upload.AcceptUnsupported },
        signal,
      );
      const { definition } = inspection;
      if (!definition || inspection.faults.length > 0) throw faultsError(inspection, upload.AcceptUnsupported);
      return saying(database, () => store(person, upload, workbook, { ...inspection, definition }));
    },
    update: async (person, { Id, ...changes }) => {
      const { activity } = await access.requireEdit(knex, person, Id);
      const submitted = { Id, Type: activity.Type, ProcedureName: activity.ProcedureName, ...changes };
      checkSubmission({ ...submitted, HasFile: false, ChangeDescription: '' });
      await saying(database, () => updateActivity(knex, Id, { ...editableOf(changes), Modified: dialect.now(knex) }));
    },
  };
}

const WORKBOOK = { Type: 'Workbook', ProcedureName: null } as const;

/** Throws an AppError with the specification's text for the first thing that keeps an activity from being submitted. */
export function checkSubmission(submission: Parameters<typeof activitySubmitIssue>[0]): void {
  const issue = activitySubmitIssue(submission);
  if (issue === null) return;
  const name = activityNameIssue(submission.Name);
  throw new AppError('activityInvalid', 400, issue, name === null ? {} : { modelState: { Name: [name] } });
}

function editableOf(fields: Editable): Editable & { NameKey: string } {
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

async function saying<T>({ dialect }: Database, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (dialect.classify(cause).fault !== 'unique') throw cause;
    const text = 'There is already an activity of this name in the schema';
    throw new AppError('activityNameTaken', 409, text, { modelState: { Name: [text] }, cause });
  }
}

function faultsError({ faults, fidelity }: Inspection, accepted: readonly string[]): AppError {
  const named = new Set(accepted.map((name) => name.toUpperCase()));
  const lacking = (fidelity?.Unsupported ?? [])
    .filter(({ FeedsOutput, Name }) => FeedsOutput && !named.has(Name.toUpperCase()))
    .map(({ Name }) => Name);
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
  const Message = `The workbook cannot become an activity: it has ${count}`;
  return new AppError('workbookFaults', 422, Message, {
    answer: { Faults: faults, Unsupported: [...new Set(lacking)] },
  });
}
