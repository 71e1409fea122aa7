/** Reads the versions of activities. A version never changes, so it can be cached forever. */
import type { Knex } from 'knex';
import type { ActivityDefinition, InputDefinition, OutputDefinition } from '#server/executors/activity-definition.ts';
import type { FidelitySummary } from '#shared/contract/fidelity-summary.ts';
import { keepDigits } from './exact-inputs.ts';
import { offerFolders } from './folder-inputs.ts';

export interface VersionInput extends InputDefinition {
  Id: number;
}

export interface VersionOutput extends OutputDefinition {
  Id: number;
}

export interface VersionFile {
  FileId: string;
  StoreKey: string;
  FileName: string;
  /** Size in bytes. */
  ContentLength: number;
}

export interface ActivityVersion {
  ActivityId: number;
  Version: number;
  definition: ActivityDefinition;
  /** The definition's inputs and outputs, in its order, with their ids. */
  inputs: VersionInput[];
  outputs: VersionOutput[];
  /** The workbook file; null if it was purged. */
  file: VersionFile | null;
  /** How the calculation agrees with the values that Excel saved; null if nothing was compared. */
  fidelity: FidelitySummary | null;
}

export interface VersionCatalog {
  /** Returns undefined if there is no such version. */
  get(activityId: number, version: number): Promise<ActivityVersion | undefined>;
  /** Drops cached versions after a purge. */
  forget(activityId: number): void;
}

/** Names of inputs and outputs are equal if they differ only in case, on both databases. */
export const nameKey = (name: string): string => name.toLowerCase();

/** Total number of characters of cached definitions; those with long picker lists are the largest. */
const CACHE_CHARACTERS = 32 * 1024 * 1024;

export interface VersionCatalogOptions {
  /** Names of the static folders offered by inputs for folders. */
  folders?: readonly string[];
  cacheCharacters?: number;
}

export function createVersionCatalog(knex: Knex, options: VersionCatalogOptions = {}): VersionCatalog {
  const { folders = [], cacheCharacters = CACHE_CHARACTERS } = options;
  // In order of last use.
  const cache = new Map<string, { version: Promise<ActivityVersion | undefined>; size: number }>();
  let size = 0;

  function drop(key: string): void {
    size -= cache.get(key)?.size ?? 0;
    cache.delete(key);
  }

  function load(key: string, activityId: number, version: number): Promise<ActivityVersion | undefined> {
    const loading = readVersion(knex, activityId, version, folders).then(
      (read) => {
        if (!read) {
          drop(key);
          return undefined;
        }
        const entry = cache.get(key);
        if (entry) {
          entry.size = read.size;
          size += read.size;
        }
        for (const oldest of cache.keys()) {
          if (size <= cacheCharacters) break;
          drop(oldest);
        }
        return read.version;
      },
      (error: unknown) => {
        drop(key);
        throw error;
      },
    );
    cache.set(key, { version: loading, size: 0 });
    return loading;
  }

  return {
    get: (activityId, version) => {
      const key = `${activityId}/${version}`;
      const entry = cache.get(key);
      if (!entry) return load(key, activityId, version);
      cache.delete(key);
      cache.set(key, entry);
      return entry.version;
    },
    forget: (activityId) => {
      for (const key of cache.keys()) if (key.startsWith(`${activityId}/`)) drop(key);
    },
  };
}

async function readVersion(
  knex: Knex,
  activityId: number,
  version: number,
  folders: readonly string[],
): Promise<{ version: ActivityVersion; size: number } | undefined> {
  const row = await knex('ActivityVersions as V')
    .leftJoin('StoredFiles as F', 'F.FileId', 'V.FileId')
    .where({ 'V.ActivityId': activityId, 'V.Version': version })
    .first<
      | ({ Definition: string; FidelitySummary: string | null } & {
          [Column in keyof VersionFile]: VersionFile[Column] | null;
        })
      | undefined
    >('V.Definition', 'V.FidelitySummary', 'F.FileId', 'F.FileName', 'F.StoreKey', 'F.ContentLength');
  if (!row) return undefined;
  const parameters = await knex('ActivityParameters')
    .where('ActivityId', activityId)
    .select('Id', 'Direction', 'NameKey');
  const definition = keepDigits(JSON.parse(row.Definition) as ActivityDefinition);
  const idOf = (direction: string, name: string): number => {
    const found = parameters.find((row) => row.Direction === direction && row.NameKey === nameKey(name));
    if (!found) throw new Error(`activity ${activityId} has no ${direction} ${name}`);
    return found.Id;
  };
  const { FileId, FileName, StoreKey, ContentLength } = row;
  return {
    size: row.Definition.length,
    version: {
      ActivityId: activityId,
      Version: version,
      definition,
      inputs: definition.inputs.map((input) => ({ Id: idOf('input', input.Name), ...offerFolders(input, folders) })),
      outputs: definition.outputs.map((output) => ({ Id: idOf('output', output.Name), ...output })),
      file:
        FileId === null || FileName === null || StoreKey === null
          ? null
          : { FileId, FileName, StoreKey, ContentLength: Number(ContentLength) },
      fidelity: row.FidelitySummary === null ? null : (JSON.parse(row.FidelitySummary) as FidelitySummary),
    },
  };
}
