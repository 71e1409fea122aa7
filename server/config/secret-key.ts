/** The key with which secrets are encrypted that have to be read again, so that a copy of the database does not tell them. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config-schema.ts';
import { StartError } from '#server/base/start-error.ts';

const FILE = 'secret.key';

/** As configured; else that of the data folder, which the first start makes. Throws a StartError where it cannot be read or made. */
export async function loadSecretKey({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Promise<string> {
  if (secretKey !== '') return secretKey;
  const path = join(dataDir, FILE);
  try {
    await mkdir(dataDir, { recursive: true });
    await makeOnce(path);
    const key = await readFile(path, 'utf8');
    if (key.length >= 43) return key;
  } catch (cause) {
    throw new StartError(`${path} cannot be read or made: ${(cause as Error).message}`, { cause });
  }
  throw new StartError(`${path} holds no key: bring back the file, or set RUNSHEET_SECRET_KEY`);
}

/** Of servers that start at once on one folder, one makes it; the others never see half of it. */
async function makeOnce(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  await link(draft, path).catch(unlessThere);
  await rm(draft);
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
