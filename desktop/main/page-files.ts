/** Reads the pages that come with the program, by path. */
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

export interface PageFile {
  content: Uint8Array;
  type: string;
}

/** Returns a file below the folder; null if there is none, or if the path leads out of the folder. */
export async function readPageFile(folder: string, path: string): Promise<PageFile | null> {
  const type = TYPES[extname(path).toLowerCase()];
  const file = resolveFile(folder, path);
  if (type === undefined || file === null) return null;
  try {
    return { content: await readFile(file), type };
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

function resolveFile(folder: string, path: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null;
  const root = normalize(folder + sep);
  const file = normalize(join(root, decoded));
  return file.startsWith(root) ? file : null;
}
