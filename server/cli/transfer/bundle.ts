/**
 * A file that carries activities from one portal to another: a zip of workbooks, and manifest.json with their names and
 * settings.
 */
import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import yauzl from 'yauzl';
import { ZipFile } from 'yazl';
import { editableFields } from '#shared/contract/activities.ts';
import { RegionId } from '#shared/contract/auth.ts';
import { closed, nullable } from '#shared/contract/endpoint.ts';
import { zipProblem } from '#server/base/zip-problem.ts';
import { CliError } from '../cli-error.ts';

const MANIFEST = 'manifest.json';
const MAX_ACTIVITIES = 1000;
/** Maximum size in bytes of the file, of its unzipped content, and of its manifest. */
const LIMITS = { file: 512 * 2 ** 20, unzipped: 1024 * 2 ** 20, manifest: 64 * 2 ** 20 } as const;

const ActivityName = { Schema: Type.String({ maxLength: 30 }), Name: Type.String({ maxLength: 30 }) };

const BundleActivity = closed({
  ...editableFields,
  Schema: Type.String({ maxLength: 30 }),
  /** Name of the workbook file, and its path in the zip. */
  FileName: Type.String({ minLength: 1, maxLength: 255 }),
  /** Region of the workbook, if people chose it. */
  Region: Type.Optional(RegionId),
  Path: Type.String({ pattern: '^workbooks/\\d{1,4}$' }),
  Presets: Type.Array(closed({ Input: Type.String(), PresetValue: Type.String({ maxLength: 100_000 }) })),
  Links: Type.Array(
    closed({
      Name: Type.String({ maxLength: 1000 }),
      To: closed(ActivityName),
      Mappings: Type.Array(
        closed({
          Output: Type.String(),
          Input: Type.String(),
          ReadOnly: Type.Array(Type.Boolean(), { maxItems: 16_384 }),
        }),
      ),
    }),
  ),
});
export type BundleActivity = Static<typeof BundleActivity>;

const BundleWorkflow = closed({
  Schema: Type.String({ maxLength: 30 }),
  Name: Type.String({ maxLength: 2000 }),
  /** As exported by the portal, with names instead of ids. */
  Content: Type.String({ maxLength: 5_000_000 }),
});

const Manifest = closed({
  Format: Type.Literal(1),
  From: nullable(Type.String()),
  Activities: Type.Array(BundleActivity, { maxItems: MAX_ACTIVITIES }),
  Workflows: Type.Array(BundleWorkflow, { maxItems: MAX_ACTIVITIES }),
});
export type Manifest = Static<typeof Manifest>;

export interface Bundle {
  manifest: Manifest;
  /** Content of the workbooks by path. */
  workbooks: ReadonlyMap<string, Uint8Array>;
}

/** Writes a new file; deletes it if it is incomplete. */
export async function writeBundle(path: string, { manifest, workbooks }: Bundle): Promise<void> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(manifest, null, 2)), MANIFEST);
  for (const [name, bytes] of workbooks) zip.addBuffer(Buffer.from(bytes), name, { compress: false });
  zip.end();
  const target = createWriteStream(path, { flags: 'wx' });
  try {
    await pipeline(zip.outputStream, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CliError(`${path} already exists`);
    await rm(path, { force: true });
    throw error;
  }
}

/** Throws CliError if it is not such a file, lacks a workbook, or is larger than any portal creates it. */
export async function readBundle(path: string): Promise<Bundle> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${path} cannot be read: ${zipProblem(error)}`);
  });
  const refuse = (why: string): CliError =>
    new CliError(`${path} is not a readable export of a portal: ${why}. Copy the file again, or export it again`);
  if (bytes.length > LIMITS.file) throw refuse('it is too large');
  const parts = await readParts(bytes).catch((error: unknown) => {
    throw refuse(error instanceof PartError ? error.message : zipProblem(error));
  });
  const text = parts.get(MANIFEST);
  if (!text) throw refuse(`it has no ${MANIFEST}`);
  const manifest = readManifest(text);
  if (manifest === null) throw refuse(`its ${MANIFEST} cannot be read, or is from a newer version`);
  const missing = manifest.Activities.find((activity) => !parts.has(activity.Path));
  if (missing) throw refuse(`the workbook of ${missing.Name} is missing`);
  parts.delete(MANIFEST);
  return { manifest, workbooks: parts };
}

function readManifest(bytes: Uint8Array): Manifest | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return Value.Check(Manifest, value) ? value : null;
  } catch {
    return null;
  }
}

/** A valid zip archive with something that no portal exports. */
class PartError extends Error {}

/** Reads parts only up to their stated size, so a zip bomb is rejected before it is unzipped. */
async function readParts(bytes: Buffer): Promise<Map<string, Uint8Array>> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true });
  if (zip.entryCount > MAX_ACTIVITIES + 1) throw new PartError('it has too many parts');
  const parts = new Map<string, Uint8Array>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    total += entry.uncompressedSize;
    if (total > LIMITS.unzipped) throw new PartError('it is too large');
    if (entry.fileName === MANIFEST && entry.uncompressedSize > LIMITS.manifest) throw new PartError('it is too large');
    if (parts.has(entry.fileName)) throw new PartError('it contains a part twice');
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    parts.set(entry.fileName, new Uint8Array(Buffer.concat(chunks)));
  }
  return parts;
}
