/** Files of manifests: finds, reads and checks them before the portal is asked for anything. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { counted } from '#shared/codecs/counted.ts';
import { checkManifest, MANIFEST_KINDS, type Manifest } from '#shared/manifests/check-manifest.ts';
import { MANIFEST_MAX } from '#shared/manifests/manifest-head.ts';
import { readManifest } from '#shared/manifests/read-manifest.ts';
import { CliError, ExitCode } from '../cli-error.ts';
import { printable } from '../terminal.ts';

export interface ManifestFile {
  path: string;
  manifest: Manifest;
  lineOf: (pointer: string) => number;
}

/** Something wrong in a file. */
export interface FileProblem {
  path: string;
  line: number;
  message: string;
}

const MAX_FILES = 1000;
const MAX_SHOWN_PROBLEMS = 50;
/** UTF-8 uses at most three bytes for a character of a JavaScript string. */
const MAX_BYTES = MANIFEST_MAX * 3;

/** Throws CliError that lists the problems, each with its file and line. */
export function requireNoProblems(
  problems: readonly FileProblem[],
  exitCode: ExitCode = ExitCode.WrongUse,
  ending = '. Nothing was changed.',
): void {
  if (problems.length === 0) return;
  const lines = problems
    .toSorted((one, other) => (one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1))
    .slice(0, MAX_SHOWN_PROBLEMS)
    .map(({ path, line, message }) => printable(`${path}:${line}: ${message}`));
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`… and ${counted(more, 'more problem')}`);
  throw new CliError(`${counted(problems.length, 'problem')}${ending}\n${lines.join('\n')}`, exitCode);
}

/**
 * Reads all files, in the order in which they are applied. Throws CliError for the problems of all files together.
 * @param paths files, folders whose .yaml and .yml files are read, or '-' for standard input
 */
export async function readManifestFiles(paths: readonly string[]): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  const problems: FileProblem[] = [];
  for (const path of await filesOf(paths)) {
    const { value, problems: unread, lineOf } = readManifest(await textOf(path));
    const found =
      unread.length > 0 ? unread : checkManifest(value).map((one) => ({ ...one, line: lineOf(one.pointer) }));
    problems.push(...found.map(({ line, message }) => ({ path, line, message })));
    // checkManifest has no problems with it.
    if (found.length === 0) files.push({ path, manifest: value as Manifest, lineOf });
  }
  problems.push(...repeated(files));
  requireNoProblems(problems);
  const order = ({ manifest }: ManifestFile): number => MANIFEST_KINDS.indexOf(manifest.kind);
  return files.toSorted((one, other) => order(one) - order(other));
}

export function nameOf(manifest: Manifest): string {
  if (manifest.kind === 'Workflow' || manifest.kind === 'ActivitySettings')
    return `${manifest.schema}/${manifest.name}`;
  const { schema, name } = manifest.activity ?? manifest.workflow ?? { schema: '', name: '' };
  return `${schema}/${name}: ${manifest.name}`;
}

function repeated(files: readonly ManifestFile[]): FileProblem[] {
  const seen = new Map<string, string>();
  return files.flatMap(({ path, manifest, lineOf }): FileProblem[] => {
    const owner = 'activity' in manifest && manifest.activity ? 'activity' : '';
    const key = `${manifest.kind} ${owner} ${nameOf(manifest)}`;
    const before = seen.get(key);
    if (before === undefined) seen.set(key, path);
    return before === undefined
      ? []
      : [
          {
            path,
            line: lineOf('/name'),
            message: `${before} has the same kind and name. Remove one of the two.`,
          },
        ];
  });
}

async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of new Set(paths)) {
    if (path === '-' || !(await isFolder(path))) files.push(path);
    else files.push(...(await yamlFilesIn(path)));
  }
  if (files.length > MAX_FILES) throw new CliError(`There are ${files.length} files: give at most ${MAX_FILES}`);
  return files;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    if (!found.isDirectory() && found.size > MAX_BYTES) throw new CliError(`${path} is too large for a manifest`);
    return found.isDirectory();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function yamlFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  if (found.length === 0) throw new CliError(`${folder} has no .yaml files`);
  for (const path of found) await isFolder(path);
  return found;
}

async function textOf(path: string): Promise<string> {
  if (path === '-') return readText(process.stdin);
  const bytes = await readFile(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CliError(`${path} is not a text in UTF-8. Save it in UTF-8.`);
  }
}
