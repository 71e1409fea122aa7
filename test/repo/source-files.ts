import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const SOURCE_FOLDERS = ['shared', 'server', 'desktop', 'migrations', 'build', 'scripts', 'test'];
const SKIPPED = new Set(['node_modules', 'out', '.cache', 'data', '.git', 'coverage']);

export interface SourceFile {
  /** From the root, with '/': 'server/compose/app.ts'. */
  path: string;
  text: string;
}

export function listFiles(folder = '', ends: RegExp = /./): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue;
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) found.push(...listFiles(path, ends));
    else if (ends.test(entry.name)) found.push(path);
  }
  return found;
}

export function readSources(): SourceFile[] {
  return SOURCE_FOLDERS.flatMap((folder) => listFiles(folder, /\.tsx?$/)).map((path) => ({
    path,
    text: readText(path),
  }));
}

const texts = new Map<string, string>();

/** Cached, because several tests read the same files in one process. */
export function readText(path: string): string {
  const text = texts.get(path) ?? readFileSync(join(ROOT, path), 'utf8');
  texts.set(path, text);
  return text;
}

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.startsWith('test/');

export interface Import {
  from: string;
  /** As written. */
  specifier: string;
  /** The imported file of this repository; null for a package. */
  target: string | null;
}

const IMPORT =
  /^\s*(?:import|export)\s+(?:type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

export function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    return { from: path, specifier, target: targetOf(path, specifier) };
  });
}

const PREFIXES: Record<string, string> = {
  '#shared/': 'shared/',
  '#server/': 'server/',
  '#bridge/': 'desktop/bridge/',
  '#main/': 'desktop/main/',
  '#renderer/': 'desktop/renderer/',
  '#test/': 'test/',
};

function targetOf(path: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(dirname(path), specifier);
  const prefix = Object.keys(PREFIXES).find((start) => specifier.startsWith(start));
  return prefix === undefined ? null : PREFIXES[prefix] + specifier.slice(prefix.length);
}
