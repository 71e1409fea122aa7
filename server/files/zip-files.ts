import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZippedFile {
  FileName: string;
  open: () => Promise<Readable>;
}

/**
 * Packs files into one .zip. It reads the files one after another while the .zip is streamed. Duplicate names get a
 * number.
 */
export function zipFiles(files: readonly ZippedFile[]): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const taken = new Set<string>();
  for (const { FileName, open } of files) {
    const opened = (pass: (error: unknown, stream?: NodeJS.ReadableStream) => void): void => {
      open().then((stream) => pass(null, stream), pass);
    };
    zip.addReadStreamLazy(uniqueName(FileName, taken), {}, opened as never);
  }
  zip.end();
  return output;
}

function uniqueName(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let unique = name;
  for (let number = 2; taken.has(unique.toLowerCase()); number++) unique = `${stem} (${number})${extension}`;
  taken.add(unique.toLowerCase());
  return unique;
}
