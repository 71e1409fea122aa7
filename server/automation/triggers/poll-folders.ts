/**
 * Records files that arrive in static folders. A file counts once two polls have found it with the same size and time.
 * The name and content are stored, so the file does not count again on another server or after a restart.
 */
import type { Knex } from 'knex';
import { inTransaction } from '#server/db/transaction.ts';
import { planOf, triggerInputsOf, type TriggerRow } from './trigger-row.ts';
import { fitsPattern } from '#server/folders/file-pattern.ts';
import { FolderError, type FolderFile } from '#server/folders/static-folders.ts';
import type { TriggerInput } from '#shared/contract/triggers.ts';
import { eventValues } from './event-values.ts';
import { sha256 } from './supplied-inputs.ts';
import { lockTrigger, noteEvents } from './note-events.ts';
import { setPollMessage } from './pause-trigger.ts';
import type { TriggerContext } from './trigger-context.ts';

interface Seen {
  size: number;
  modified: number;
  isStable: boolean;
  /** True if some trigger may still have to handle the file. */
  isOpen: boolean;
}

interface SeenFolder {
  files: Map<string, Seen>;
  /** The triggers, by id and revision, that have handled all files that are not open. */
  triggers: Set<string>;
}

/** What this server saw in its folders at the previous poll. */
export type SeenFiles = Map<string, SeenFolder>;

const CHUNK = 500;
const keyOf = ({ Id, Revision }: TriggerRow): string => `${Id} ${Revision}`;
export const fileKey = (fileName: string): string => sha256(fileName);

/** Returns how many milliseconds reading the folders took. @param triggers the triggers that wait for files */
export async function pollFolders(
  context: TriggerContext,
  seen: SeenFiles,
  triggers: readonly TriggerRow[],
  isStopping: () => boolean,
): Promise<number> {
  let took = 0;
  const byFolder = Map.groupBy(triggers, (trigger) => planOf(trigger, 'File').Folder);
  for (const folder of seen.keys()) if (!byFolder.has(folder)) seen.delete(folder);
  for (const [folder, waiting] of byFolder) {
    if (isStopping()) return took;
    try {
      const before = seen.get(folder) ?? { files: new Map<string, Seen>(), triggers: new Set<string>() };
      seen.set(folder, before);
      took += await pollFolder(context, { folder, before, waiting, isStopping });
    } catch (err) {
      if (!(err instanceof FolderError)) throw err;
      for (const trigger of waiting) await updatePollMessage(context, trigger, err.message);
    }
  }
  return took;
}

interface Folder {
  folder: string;
  before: SeenFolder;
  waiting: readonly TriggerRow[];
  isStopping: () => boolean;
}

async function pollFolder(context: TriggerContext, { folder, before, waiting, isStopping }: Folder): Promise<number> {
  const patterns = [...new Set(waiting.map((trigger) => planOf(trigger, 'File').Pattern))];
  const since = performance.now();
  const files = await context.folders.list(folder, (name) => patterns.some((pattern) => fitsPattern(name, pattern)));
  const took = performance.now() - since;
  const { stable, changing } = compare(before.files, files);
  const open = stable.filter(({ seen }) => seen.isOpen);
  const unread = new Set<Seen>();
  for (const trigger of waiting) {
    if (isStopping()) return took;
    const { Pattern } = planOf(trigger, 'File');
    const own = (before.triggers.has(keyOf(trigger)) ? open : stable).filter(({ file }) =>
      fitsPattern(file.FileName, Pattern),
    );
    if (own.length > 0) await recordArrivals(context, trigger, own, unread);
    const text = changing.some((name) => fitsPattern(name, Pattern)) ? 'A file is still being written' : null;
    // A file that has just arrived normally takes two polls, which is not worth a message.
    if (text === null || trigger.LookMessage !== null) await updatePollMessage(context, trigger, text);
  }
  for (const { seen } of stable) seen.isOpen = unread.has(seen);
  before.triggers = new Set(waiting.map(keyOf));
  return took;
}

interface StableFile {
  file: FolderFile;
  seen: Seen;
}

/** Compares the files with the previous poll. */
function compare(
  before: Map<string, Seen>,
  files: readonly FolderFile[],
): { stable: StableFile[]; changing: string[] } {
  const stable: StableFile[] = [];
  const changing: string[] = [];
  const names = new Set(files.map(({ FileName }) => FileName));
  for (const name of before.keys()) if (!names.has(name)) before.delete(name);
  for (const file of files) {
    const [size, modified] = [file.size, Math.floor(file.ModifiedTime.getTime())];
    const last = before.get(file.FileName);
    if (!last || last.size !== size || last.modified !== modified) {
      before.set(file.FileName, { size, modified, isStable: false, isOpen: true });
      changing.push(file.FileName);
    } else {
      last.isStable = true;
      stable.push({ file, seen: last });
    }
  }
  return { stable, changing };
}

async function updatePollMessage({ database: { knex } }: TriggerContext, trigger: TriggerRow, message: string | null) {
  if (trigger.LookMessage === message) return;
  await setPollMessage(knex, trigger.Id, message);
  trigger.LookMessage = message;
}

/**
 * Reads the files that the trigger does not know yet, and records their arrival. @param unread receives the files that
 * cannot be read now
 */
async function recordArrivals(
  context: TriggerContext,
  trigger: TriggerRow,
  open: readonly StableFile[],
  unread: Set<Seen>,
): Promise<void> {
  const known = new Set<string>();
  for (let from = 0; from < open.length; from += CHUNK) {
    const keys = open.slice(from, from + CHUNK).map(({ file }) => fileKey(file.FileName));
    const rows = await context.database
      .knex('TriggerFiles')
      .where('TriggerId', trigger.Id)
      .whereIn('FileKey', keys)
      .select('FileKey', 'Size', 'Modified');
    for (const row of rows) known.add(`${row.FileKey} ${row.Size} ${row.Modified}`);
  }
  for (const { file, seen } of open) {
    const { size, modified } = seen;
    if (!known.has(`${fileKey(file.FileName)} ${size} ${modified}`)) {
      const content = await contentOf(context, trigger, file);
      if (content === null) unread.add(seen);
      else await inTransaction(context.database.knex, (trx) => arrive(trx, trigger, { file, size, modified, content }));
    }
  }
}

/** Returns the hash of the content; null if the file cannot be read now and must be polled again. */
async function contentOf(context: TriggerContext, trigger: TriggerRow, file: FolderFile): Promise<string | null> {
  try {
    return sha256(await file.read());
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    await updatePollMessage(context, trigger, error.message);
    return null;
  }
}

interface Arrival {
  file: Pick<FolderFile, 'FileName'>;
  size: number;
  modified: number;
  content: string;
}

async function arrive(
  trx: Knex.Transaction,
  { Id }: TriggerRow,
  { file: { FileName }, size, modified, content }: Arrival,
): Promise<void> {
  const trigger = await lockTrigger(trx, Id);
  if (!trigger) return;
  const key = { TriggerId: Id, FileKey: fileKey(FileName), Sha256: content };
  const at = { Size: size, Modified: modified };
  const before = await trx('TriggerFiles').where(key).first('Size', 'Modified');
  if (!before) {
    await trx('TriggerFiles').insert({ ...key, ...at });
    const { values } = eventValues(triggerInputsOf(trigger), (from: TriggerInput['From']) =>
      from === 'name' ? FileName : undefined,
    );
    const event = { Subject: sha256(`${FileName}\n${content}`), FileName, Sha256: content };
    await noteEvents(trx, trigger, [{ ...event, GivenText: JSON.stringify(values), Message: FileName }]);
  } else if (before.Size !== size || before.Modified !== modified) {
    await trx('TriggerFiles').where(key).update(at);
    const Message = `${FileName}. Seen before: the same file with the same content`;
    const Subject = `seen ${modified} ${key.FileKey}`;
    await noteEvents(trx, trigger, [{ Subject, FileName, Sha256: content, Message, Outcome: 'LeftOut' }]);
  }
}

/** Records the files that are in the folder when the trigger is created: they do not count as arrivals. */
export async function knowPresentFiles(
  trx: Knex.Transaction,
  trigger: Pick<TriggerRow, 'Id'>,
  files: readonly FolderFile[],
): Promise<void> {
  for (const { FileName, size, ModifiedTime } of files) {
    const key = { TriggerId: trigger.Id, FileKey: fileKey(FileName), Sha256: '' };
    await trx('TriggerFiles').where(key).delete();
    await trx('TriggerFiles').insert({ ...key, Size: size, Modified: Math.floor(ModifiedTime.getTime()) });
  }
}
