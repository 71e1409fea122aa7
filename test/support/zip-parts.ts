/** Zip archives from parts in memory. */
import { Buffer } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

export type Parts = Record<string, string | Uint8Array>;

/** Creates an archive of the parts in order; the same parts give the same bytes. */
export async function zipParts(parts: Parts, compress = true): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [path, content] of Object.entries(parts)) {
    zip.addBuffer(Buffer.from(content as Uint8Array), path, { compress, mtime: new Date(2024, 0, 2) });
  }
  zip.end();
  return await buffer(zip.outputStream as NodeJS.ReadableStream);
}
