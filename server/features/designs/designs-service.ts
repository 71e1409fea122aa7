/**
 * Designs: workbooks whose authors mark inputs and outputs in the browser. A design is private to its author until it
 * is published.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Database } from '#server/db/database.ts';
import type { Executor } from '#server/executors/executor.ts';
import type { ReceivedFile } from '#server/files/received-file.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { visibleRights } from './visible-rights.ts';
import { checkPickerQueries } from '#server/features/pickers/picker-queries-service.ts';
import { inspected } from '#server/features/versions/inspect-service.ts';
import { ownerOf, fairShareOf, type UploadedWorkbook } from '#server/versions/uploaded-workbook.ts';
import { regionWish } from '#server/versions/region-wish.ts';
import { readUploadFields } from '#server/versions/upload-fields.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { VersionCatalog, VersionFile } from '#server/versions/version-catalog.ts';
import type { Design, DesignItem, DesignPart, saveMarks } from '#shared/contract/designs.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import { checkMarkedCells } from './check-marked-cells.ts';
import { designNotFound, type DesignAccess } from './design-access.ts';
import { deleteDesign, storeDesign, type DesignSource } from './design-files.ts';
import { findDesign, findPart, listDesigns, usedVersionOf, writeMarksOf } from './designs-repository.ts';
import { marksOf, overviewOf, type MarkedWorkbooks } from './marked-workbooks-service.ts';

const unzip = promisify(gunzip);

export interface DesignsService {
  /** @param sent the text fields as received. If this throws, the caller must delete the file from the store. */
  open(
    person: Person,
    sent: Readonly<Record<string, string>>,
    workbook: UploadedWorkbook | undefined,
    signal: AbortSignal,
  ): Promise<{ Id: number }>;
  list(person: Person): Promise<DesignItem[]>;
  get(person: Person, id: number): Promise<Design>;
  part(person: Person, id: number, sheet: number, part: number): Promise<DesignPart>;
  /** Throws an AppError 409 if the marks have been changed since. */
  save(
    person: Person,
    id: number,
    changes: BodyOf<typeof saveMarks>,
    signal: AbortSignal,
  ): Promise<ResultOf<typeof saveMarks>>;
  delete(person: Person, id: number): Promise<void>;
}

export interface DesignsDeps {
  database: Database;
  rights: Pick<RightsService, 'has' | 'namedHeldAnywhere'>;
  designAccess: DesignAccess;
  marked: MarkedWorkbooks;
  store: FileStore;
  versions: VersionCatalog;
  executor: Pick<Executor, 'designer'>;
  connections: ConnectionAccess;
}

/** Limits the space that one person can use: each design takes as much as its workbook. */
const MAX_DESIGNS = 100;

const CHANGED = 'The marks were changed in another window. Reload the page to see the current marks.';

export function createDesignsService(deps: DesignsDeps): DesignsService {
  const { database, rights, designAccess, marked, store, connections } = deps;
  const { knex } = database;
  return {
    open: (person, sent, workbook, signal) => open(deps, person, { sent, workbook }, signal),
    list: async (person) =>
      (await listDesigns(knex, person.UserId)).map(({ Id, ActivityId, FileName, ModifiedTime }) => ({
        Id,
        ActivityId: ActivityId ?? 0,
        FileName,
        Modified: ModifiedTime.toISOString(),
      })),
    get: async (person, id) => {
      const row = await designAccess.require(person, id);
      const { Region, ...overview } = overviewOf(row);
      const visible = await visibleRights(knex, rights, person);
      return {
        Id: row.Id,
        Revision: row.Revision,
        ActivityId: row.ActivityId ?? 0,
        Schema: row.SchemaName,
        FileName: row.FileName,
        Modified: row.ModifiedTime.toISOString(),
        ...overview,
        ...(Region && { Region: { Id: Region.id, Source: Region.source } }),
        Marks: marksOf(row),
        Rights: visible.rights,
        HasAllRights: visible.isComplete,
      };
    },
    part: async (person, id, sheet, part) => {
      await designAccess.require(person, id);
      const key = await findPart(knex, { Id: id, UserId: person.UserId }, sheet, part);
      if (key === undefined) throw new AppError('partNotFound', 404, 'This part of the sheet does not exist');
      return JSON.parse(String(await unzip(await store.read(key)))) as DesignPart;
    },
    save: async (person, id, { Revision, Marks }, signal) => {
      const row = await designAccess.require(person, id);
      checkMarkedCells(Marks, overviewOf(row).Sheets);
      const owned = { Id: id, UserId: person.UserId, Revision };
      const text = JSON.stringify(Marks);
      // When a page opens a design, it sends the unchanged marks to learn their results. This must not create a new
      // revision.
      const isSame = row.Revision === Revision && row.Marks === text;
      if (!isSame && !(await writeMarksOf(knex, owned, text))) throw new AppError('designChanged', 409, CHANGED);
      const inspection = await marked.inspect(person, row, Marks, signal);
      const { definition } = inspection;
      const checked = definition && (await checkPickerQueries(connections, person, definition, signal));
      return { Revision: isSame ? Revision : Revision + 1, Found: inspected(row.FileName, inspection, checked, []) };
    },
    delete: async (person, id) => {
      if (!(await findDesign(knex, id, person.UserId))) throw designNotFound();
      await deleteDesign({ database, store }, id);
    },
  };
}

interface Opening {
  sent: Readonly<Record<string, string>>;
  workbook: UploadedWorkbook | undefined;
}

async function open(
  { database, designAccess, store, versions, executor }: DesignsDeps,
  person: Person,
  { sent, workbook }: Opening,
  signal: AbortSignal,
): Promise<{ Id: number }> {
  const { Id = 0, Schema = '' } = readUploadFields(sent).fields;
  const SchemaName = await designAccess.requireRight(person, Id, Schema);
  if ((await listDesigns(database.knex, person.UserId)).length >= MAX_DESIGNS) throw tooManyDesigns();
  const used = Id === 0 ? null : await usedVersion(database, versions, Id);
  const source = sourceOf(workbook, used);
  const bytes = await store.read(source.StoreKey);
  const lastVersion = workbook && used ? await store.read(used.StoreKey) : null;
  const file = {
    fileName: source.FileName,
    bytes,
    owner: ownerOf(person),
    ...(workbook && fairShareOf(person, workbook)),
  };
  const before = { file: lastVersion, region: await regionWish(database.knex, { Id }) };
  const opened = await executor.designer.open(file, before, signal);
  if ('refusal' in opened) {
    const answer = { Faults: [opened.refusal], Unsupported: [] };
    throw new AppError('workbookFaults', 422, 'The workbook cannot be read: it has one problem', { answer });
  }
  const owner = { UserId: person.UserId, ActivityId: Id === 0 ? null : Id, SchemaName };
  return { Id: await storeDesign({ database, store }, owner, source, opened) };
}

/** Returns the uploaded workbook, or else the workbook of the version in use. */
function sourceOf(workbook: ReceivedFile | undefined, used: VersionFile | null): DesignSource {
  if (workbook) return { uploaded: workbook, StoreKey: workbook.stored.key, FileName: workbook.FileName };
  if (!used) throw new AppError('fileMissing', 400, 'File must be uploaded');
  return used;
}

async function usedVersion({ knex }: Database, versions: VersionCatalog, activityId: number): Promise<VersionFile> {
  const number = await usedVersionOf(knex, activityId);
  const version = number === undefined ? undefined : await versions.get(activityId, number);
  if (!version?.file) throw new AppError('versionFileMissing', 404, 'This activity version file does not exist');
  return version.file;
}

const tooManyDesigns = (): AppError =>
  new AppError('tooManyDesigns', 409, `You have ${MAX_DESIGNS} unfinished workbooks. Publish or delete some of them.`);
