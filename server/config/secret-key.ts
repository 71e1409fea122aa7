/** The key that encrypts secrets which must be readable again, so that a copy of the database does not reveal them. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config-schema.ts';
import { StartError } from '#server/base/start-error.ts';

const FILE = 'secret.key';
const DRAFT = /^secret\.key\.[0-9a-f]{12}$/;
const MIN_LENGTH = 43;

/**
 * Returns the configured key, or else the key in the data folder, which the first start creates. Throws a StartError if
 * it cannot be read or created.
 */
export async function loadSecretKey({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Promise<string> {
  if (secretKey !== '') return secretKey;
  const path = join(dataDir, FILE);
  let key: string;
  try {
    // If a key exists, nothing is written, so a start with a full disk can still read it.
    key = (await readKey(path)) ?? (await makeOnce(dataDir, path));
  } catch (cause) {
    throw new StartError(`${path} cannot be read or created: ${(cause as Error).message}`, { cause });
  }
  if (key.length < MIN_LENGTH)
    throw new StartError(`${path} contains no valid key: restore the file, or set RUNSHEET_SECRET_KEY`);
  await removeDrafts(dataDir);
  return key;
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** If several servers start at once with one folder, one creates the key; the others never see an incomplete one. */
async function makeOnce(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    // Flushed to the disk before it gets its name: data encrypted with a key that a power failure destroyed could never
    // be read again.
    await writeFile(draft, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true });
    await link(draft, path).catch(rethrowUnlessExists);
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}

/** Another server was faster, and may have removed our draft as a left-over one. */
function rethrowUnlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error;
}

/** Removes drafts of killed starts. The key exists by now, so no server needs its draft any more. */
async function removeDrafts(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => []);
  // The next start removes drafts that this one cannot.
  for (const name of names) if (DRAFT.test(name)) await rm(join(dataDir, name), { force: true }).catch(() => {});
}
