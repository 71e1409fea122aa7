/** Publishes a workbook as an activity or as a new version of one. A failed attempt leaves nothing behind. */
import { AppError } from '#server/base/app-error.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Database } from '#server/db/database.ts';
import type { RegionWish } from '#server/calculation/reader/workbook-model.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { Executor, Inspection } from '#server/executors/executor.ts';
import type { StepCapabilities } from '#server/executors/step-services.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { checkPickerQueries } from '#server/features/pickers/picker-queries-service.ts';
import type { TestGate } from '#server/features/test-beds/test-gate-service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { Person, Holder } from '#server/base/person.ts';
import type { ActivityUpdate } from '#shared/contract/activities.ts';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import type { ActivityUpload } from '#shared/contract/versions.ts';
import { parseMemoryCost, parseOrder } from '#shared/rules/activity-rules.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { requireCreate, type Publisher } from '#server/access/require-create.ts';
import type { ProcedurePublishing } from '#server/features/procedures/procedure-publishing-service.ts';
import { refusingTakenNames } from '#server/versions/activity-names.ts';
import { checkMemoryCost, checkSubmission } from '#server/versions/check-submission.ts';
import { checkUpload, NEW_ACTIVITY, readUploadFields, type UploadFields } from '#server/versions/upload-fields.ts';
import { editableOf, storeFields } from '#server/versions/activity-editor.ts';
import { regionWish } from '#server/versions/region-wish.ts';
import { findPublished } from '#server/versions/repeated-upload.ts';
import { unsupportedOf } from './unsupported-functions.ts';
import { storeVersion, type Accepted } from '#server/versions/store-version.ts';
import { fairShareOf, type UploadedWorkbook } from '#server/versions/uploaded-workbook.ts';

export interface PublishService {
  /**
   * Publishes a workbook and returns the activity's id and version. If this throws, the caller passes the file to
   * discardAfter().
   * @param sent the text fields as received; for a new version, absent fields stay unchanged
   * @param continued the version whose region applies if the file does not determine one; the newest version if absent
   */
  publish(
    person: Publisher,
    sent: Readonly<Record<string, string>>,
    workbook: UploadedWorkbook | undefined,
    signal: AbortSignal,
    continued?: ActivityDefinition,
  ): Promise<{ Id: number; Version: number }>;
  /** Returns the version that an earlier upload has published; null if there is none. See fileIdOfUpload. */
  published(fileId: string | undefined): Promise<{ Id: number; Version: number } | null>;
  /** Changes an activity without uploading a file. Changed settings of its procedure create a new version. */
  update(person: Person, changes: ActivityUpdate, signal: AbortSignal): Promise<void>;
}

export interface PublishDeps {
  database: Database;
  rights: RightsService;
  access: ActivityAccess;
  files: FileStore;
  executor: Executor;
  connections: ConnectionAccess;
  procedures: ProcedurePublishing;
  testGate: TestGate;
  /** Returns what the steps of a workbook published by this person may use. */
  capabilitiesFor(person: Holder): Promise<StepCapabilities>;
}

export function createPublishService(deps: PublishDeps): PublishService {
  const { database, rights, access, procedures, testGate } = deps;
  const { knex } = database;

  /**
   * Returns the current fields of the activity, or the initial fields of a new one. Throws an AppError if the person
   * may not publish it.
   */
  async function requireRight(person: Publisher, { Id = 0, Schema = '' }: UploadFields): Promise<ActivityUpload> {
    if (Id !== 0) {
      const { activity } = await access.requireEdit(knex, person, Id);
      if (activity.Type !== 'Workbook')
        throw new AppError('takesNoFile', 409, 'The activity runs a stored procedure and does not accept a workbook');
      const { NameKey: _, ...editable } = editableOf(activity);
      return { ...NEW_ACTIVITY, ...editable, Id, Schema: activity.Schema };
    }
    await requireCreate({ knex, rights }, person, Schema);
    return { ...NEW_ACTIVITY, Name: '', Schema };
  }

  return {
    publish: async (person, sent, workbook, signal, continued) => {
      const { fields, orderInvalid } = readUploadFields(sent);
      const before = await requireRight(person, fields);
      const upload: ActivityUpload = { ...before, ...fields, Schema: before.Schema };
      const HasFile = workbook !== undefined;
      checkSubmission({ ...WORKBOOK, ...upload, Order: orderInvalid ? undefined : upload.Order, HasFile });
      checkUpload(upload);
      if (!workbook) throw new AppError('fileMissing', 400, 'File must be uploaded');
      const region = await regionWish(knex, upload, continued);
      const accepted = await accept(deps, person, { upload, workbook, region }, signal);
      const { definition } = accepted;
      const tried = { ActivityId: upload.Id, UserId: person.UserId, definition, fields: sent };
      const storeResults = await testGate.pass(
        { ...tried, FileName: workbook.FileName, StoreKey: workbook.stored.key },
        signal,
      );
      const version = await storeOnce(deps, person, { upload, workbook }, accepted);
      await storeResults(version.Version);
      return version;
    },
    published: (fileId) => findPublished(knex, fileId),
    update: async (person, { Id, Procedure = null, ChangeDescription = '', ...changes }, signal) => {
      const { activity } = await access.requireEdit(knex, person, Id);
      const [Order, MemoryCost] = [parseOrder(changes.Order), parseMemoryCost(changes.MemoryCost)];
      const submitted = { Id, Type: activity.Type, ProcedureName: activity.ProcedureName, ...changes };
      checkSubmission({ ...submitted, Order, HasFile: false, ChangeDescription: '' });
      checkMemoryCost(MemoryCost);
      const fields = { Id, ...changes, Order: Order ?? null, MemoryCost };
      if (activity.Type === 'StoredProcedure' && (await procedures.needsVersion(person, Id, Procedure))) {
        const upload = { ...NEW_ACTIVITY, ...fields, Schema: activity.Schema, ChangeDescription };
        await procedures.change(person, { upload, settings: Procedure! }, signal);
        return;
      }
      await refusingTakenNames(database, () => storeFields(database, fields));
    },
  };
}

interface Uploaded {
  upload: ActivityUpload;
  workbook: UploadedWorkbook;
  region: RegionWish;
}

/** Stores the version. If the same upload was published at the same time, returns the version of that one. */
async function storeOnce(
  { database, rights }: PublishDeps,
  person: Publisher,
  { upload, workbook }: Pick<Uploaded, 'upload' | 'workbook'>,
  accepted: Accepted,
): Promise<{ Id: number; Version: number }> {
  try {
    return await refusingTakenNames(database, () =>
      storeVersion({ database, rights }, person, upload, { workbook }, accepted),
    );
  } catch (error) {
    // The file stays, in case it belongs to that version; otherwise the sweep of orphaned files deletes it.
    const before = await findPublished(database.knex, workbook.fileId);
    if (before === null) throw error;
    return before;
  }
}

/** Inspects the workbook and returns its definition. Throws an AppError 422 if it cannot become an activity. */
async function accept(
  deps: PublishDeps,
  person: Publisher,
  { upload: { AcceptUnsupported }, workbook, region }: Uploaded,
  signal: AbortSignal,
): Promise<Accepted> {
  const bytes = await deps.files.read(workbook.stored.key);
  const inspection = await deps.executor.inspect(
    {
      fileName: workbook.FileName,
      bytes,
      acceptUnsupported: AcceptUnsupported,
      region,
      ...fairShareOf(person, workbook),
      capabilities: await deps.capabilitiesFor(person),
    },
    signal,
  );
  if (!inspection.definition || inspection.problems.length > 0)
    throw workbookProblemsError(inspection, AcceptUnsupported);
  const checked = await checkPickerQueries(deps.connections, person, inspection.definition, signal);
  const { problems, definition, findings } = checked;
  if (problems.length > 0) throw workbookProblemsError({ ...inspection, problems }, AcceptUnsupported);
  return { fidelity: withFindings(inspection.fidelity, findings), definition };
}

const withFindings = (report: Inspection['fidelity'], findings: readonly WorkbookProblem[]): Inspection['fidelity'] =>
  report && findings.length > 0 ? { ...report, Findings: [...(report.Findings ?? []), ...findings] } : report;

const WORKBOOK = { Type: 'Workbook', ProcedureName: null } as const;

function workbookProblemsError({ problems, fidelity }: Inspection, accepted: readonly string[]): AppError {
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  const Message = `The workbook cannot be used as an activity: it has ${count}`;
  return new AppError('workbookFaults', 422, Message, {
    answer: { Faults: problems, Unsupported: unsupportedOf(fidelity, accepted) },
  });
}
