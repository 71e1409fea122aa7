/** Saves files of a run next to existing ones: nothing is overwritten, and no file is left half written. */
import { createWriteStream } from 'node:fs';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from '#shared/client/client.ts';
import { fileName } from '#shared/codecs/file-name.ts';
import { CliError } from './cli-error.ts';

/** Returns the path of the saved file. @param replace true to overwrite a file of the same name */
export async function saveFile(client: Client, token: string, folder: string, replace: boolean): Promise<string> {
  const response = await client.file(token);
  const name = fileName(response.headers.get('content-disposition') ?? '');
  await mkdir(folder, { recursive: true });
  const path = replace ? join(folder, name) : await freePath(folder, name);
  const part = `${path}.${process.pid}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(part, { flags: 'wx' }));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw new CliError(`${path} was not downloaded: ${(error as Error).message}`, 3);
  }
  return path;
}

async function freePath(folder: string, name: string): Promise<string> {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let number = 0; ; number += 1) {
    const path = join(folder, number === 0 ? name : `${stem} (${number})${extension}`);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (!isThere) return path;
  }
}
