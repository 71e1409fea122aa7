/** The values with which an event starts its run. */
import { createHash } from 'node:crypto';
import { AppError } from '#server/base/app-error.ts';
import { insertStoredFiles, newFileId } from '#server/files/stored-files.ts';
import { FolderError } from '#server/folders/static-folders.ts';
import { planOf, triggerInputsOf, type TriggerEventRow, type TriggerRow } from './trigger-row.ts';
import type { FileTaker, SuppliedFile, SuppliedInput, Refusal } from '#server/automation/schedules/scheduled-runs.ts';
import { resolveSuppliedInputs } from '#server/automation/schedules/additional/schedule-inputs.ts';
import { formatFileSize } from '#shared/codecs/file-size.ts';
import type { EventValue } from './event-values.ts';
import type { TriggerContext } from './trigger-context.ts';

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** The event can no longer start its run, although nothing is wrong with the trigger. */
export interface SkippedStart extends Refusal {
  isSkipped: true;
}

const HEAD_BYTES = 4_096;
const GONE = 'The file was deleted or changed before it was processed';

/** Returns all supplied values except the event's file. */
export function readSuppliedInputs(
  trigger: Pick<TriggerRow, 'InputsText' | 'TimeZone'>,
  event: Pick<TriggerEventRow, 'Time' | 'GivenText'>,
): Refusal | { refused: null; supplied: SuppliedInput[] } {
  const inputs = triggerInputsOf(trigger).filter(({ From }) => From === null);
  const fixed = resolveSuppliedInputs(inputs, event.Time, { timeZone: trigger.TimeZone, calendar: null });
  if (fixed.refused !== null) return fixed;
  const supplied: SuppliedInput[] = [...fixed.supplied, ...(JSON.parse(event.GivenText) as EventValue[])];
  return { refused: null, supplied };
}

/** Returns the event's file for the input that takes it; no value if no input takes it. */
export async function fileFor(
  context: TriggerContext,
  trigger: TriggerRow,
  { FileName, Sha256 }: Pick<TriggerEventRow, 'FileName' | 'Sha256'>,
): Promise<SkippedStart | Refusal | { refused: null; supplied: SuppliedInput[] }> {
  if (FileName === null) return { refused: null, supplied: [] };
  const { Folder, FileInput } = planOf(trigger, 'File');
  if (FileInput === null) return { refused: null, supplied: [] };
  const bytes = await readFile(context, Folder, FileName);
  if (bytes === null || sha256(bytes) !== Sha256) return { refused: GONE, isSkipped: true };
  const issue = context.contentIssue(FileName, bytes.subarray(0, HEAD_BYTES));
  if (issue !== null) return { refused: issue };
  const upload = (person: { UserId: number }, input: FileTaker): Promise<SuppliedFile> =>
    storeUpload(context, { bytes, FileName, UserId: person.UserId, input });
  return { refused: null, supplied: [{ Name: FileInput, Value: null, upload }] };
}

async function readFile({ folders }: TriggerContext, folder: string, name: string): Promise<Uint8Array | null> {
  try {
    const [file] = await folders.list(folder, (fileName) => fileName === name);
    return file ? await file.read() : null;
  } catch (error) {
    if (error instanceof FolderError) return null;
    throw error;
  }
}

interface Upload {
  bytes: Uint8Array;
  FileName: string;
  UserId: number;
  input: FileTaker;
}

/**
 * Stores the file as an upload of the person. If the run does not start after all, it is deleted with other unused
 * uploads.
 */
async function storeUpload(
  { fileStore, database: { knex } }: TriggerContext,
  { bytes, FileName, UserId, input }: Upload,
): Promise<SuppliedFile> {
  const limit = input.Info.MaxSize[0] ?? Infinity;
  if (bytes.byteLength > limit)
    throw new AppError('fileTooLarge', 413, `Size of the input file exceeds the limit of ${formatFileSize(limit)}`);
  const { key, contentLength, sha256: Sha256 } = await fileStore.put(bytes);
  const FileId = newFileId();
  const stored = { FileId, StoreKey: key, FileName, ContentLength: contentLength, Sha256, Purpose: 'upload' as const };
  await insertStoredFiles(knex, [{ ...stored, UserId, ActivityParameterId: input.Id }]);
  return { FileId, FileName };
}
