/** The description of a backup in its entry manifest.json. */
import { createHash, hkdfSync } from 'node:crypto';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { StartError } from '#server/base/start-error.ts';

export const FORMAT = 'runsheet-backup';
/** Increased when older programs can no longer read the format. */
export const FORMAT_VERSION = 1;
export const MANIFEST = 'manifest.json';
/** JSON lines with the key, length and SHA-256 of each stored file. */
export const FILE_LIST = 'files.jsonl';

const Entry = { entry: Type.String(), bytes: Type.Integer(), sha256: Type.String() };

const Manifest = Type.Object(
  {
    format: Type.Literal(FORMAT),
    formatVersion: Type.Integer(),
    /** Unique id of this backup. */
    id: Type.String(),
    program: Type.String(),
    /** The point in time of the backup, by the database's clock. */
    time: Type.String(),
    /** Shows whether a secret key is the one of the original installation. */
    secretKeyCheck: Type.String(),
    /** Null if the database must be backed up with its own tools. */
    database: Type.Union([
      Type.Null(),
      Type.Object({
        migrations: Type.Array(Type.String()),
        tables: Type.Array(Type.Object({ name: Type.String(), columns: Type.Array(Type.String()), ...Entry })),
        sequences: Type.Array(Type.Object({ name: Type.String(), last: Type.String(), called: Type.Boolean() })),
      }),
    ]),
    files: Type.Object({ count: Type.Integer(), ...Entry }),
    /** Keys of files that could not be read, or differ from what was stored. */
    damagedFiles: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type Manifest = Static<typeof Manifest>;

export const BackedUpFile = Type.Object({ key: Type.String(), bytes: Type.Integer(), sha256: Type.String() });
export type BackedUpFile = Static<typeof BackedUpFile>;

/** Throws a StartError for anything except the manifest of a backup that this program can read. */
export function readManifest(text: string): Manifest {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (cause) {
    throw new StartError('the backup is damaged: its manifest cannot be read', { cause });
  }
  if (isOf(manifest) && Number(manifest.formatVersion) > FORMAT_VERSION)
    throw new StartError('the backup was created by a newer version of Runsheet; restore it with that version');
  if (!Value.Check(Manifest, manifest)) throw new StartError('the file is not a backup that this program can read');
  return manifest;
}

const isOf = (value: unknown): value is { formatVersion: unknown } =>
  typeof value === 'object' && value !== null && (value as { format?: unknown }).format === FORMAT;

/** Reveals nothing about the key except whether another one is the same. */
export function secretKeyCheck(secretKey: string): string {
  const derived = Buffer.from(hkdfSync('sha256', secretKey, '', 'runsheet: check of backups', 32));
  return createHash('sha256').update(derived).digest('hex').slice(0, 16);
}

export const pathOfFile = (key: string): string => `files/${key.slice(0, 2)}/${key}`;
