/** What a backup says of itself, in its entry manifest.json. */
import { createHash, hkdfSync } from 'node:crypto';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { StartError } from '#server/base/start-error.ts';

export const FORMAT = 'runsheet-backup';
/** Grows when an older program could no longer read what is written. */
export const FORMAT_VERSION = 1;
export const MANIFEST = 'manifest.json';
/** JSON lines: the key, length and SHA-256 of each stored file. */
export const FILE_LIST = 'files.jsonl';

const Entry = { entry: Type.String(), bytes: Type.Integer(), sha256: Type.String() };

const Manifest = Type.Object(
  {
    format: Type.Literal(FORMAT),
    formatVersion: Type.Integer(),
    /** Tells this backup from all others. */
    id: Type.String(),
    program: Type.String(),
    /** The moment of which it is, by the database's clock. */
    time: Type.String(),
    /** Tells whether a secret key is the one that this installation has. */
    secretKeyCheck: Type.String(),
    /** Null where the database has to be backed up by its own means. */
    database: Type.Union([
      Type.Null(),
      Type.Object({
        migrations: Type.Array(Type.String()),
        tables: Type.Array(Type.Object({ name: Type.String(), columns: Type.Array(Type.String()), ...Entry })),
        sequences: Type.Array(Type.Object({ name: Type.String(), last: Type.String(), called: Type.Boolean() })),
      }),
    ]),
    files: Type.Object({ count: Type.Integer(), ...Entry }),
    /** Keys of files that could not be read, or are not as they were stored. */
    damagedFiles: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type Manifest = Static<typeof Manifest>;

export const BackedUpFile = Type.Object({ key: Type.String(), bytes: Type.Integer(), sha256: Type.String() });
export type BackedUpFile = Static<typeof BackedUpFile>;

/** Throws a StartError for anything but the manifest of a backup that this program can read. */
export function readManifest(text: string): Manifest {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (cause) {
    throw new StartError('the backup is damaged: its manifest cannot be read', { cause });
  }
  if (isOf(manifest) && Number(manifest.formatVersion) > FORMAT_VERSION)
    throw new StartError('the backup was made by a newer version of Runsheet; restore it with that version');
  if (!Value.Check(Manifest, manifest)) throw new StartError('the file is no backup that this program can read');
  return manifest;
}

const isOf = (value: unknown): value is { formatVersion: unknown } =>
  typeof value === 'object' && value !== null && (value as { format?: unknown }).format === FORMAT;

/** Says nothing of the key but whether another one is the same. */
export function secretKeyCheck(secretKey: string): string {
  const derived = Buffer.from(hkdfSync('sha256', secretKey, '', 'runsheet: check of backups', 32));
  return createHash('sha256').update(derived).digest('hex').slice(0, 16);
}

export const pathOfFile = (key: string): string => `files/${key.slice(0, 2)}/${key}`;
