/**
 * The paths hidden from programs that open workbooks of unknown origin: all private files that the portal's account can
 * read.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Config } from './config-schema.ts';
import { parseStaticFolder } from './static-folders.ts';

type HiddenSettings = Pick<Config, 'dataDir' | 'staticFolders' | 'signInFile' | 'connections'>;

/** RUNSHEET_CONFIG, and settings that name files. */
const NAMES_FILE = /^RUNSHEET_(?:CONFIG$|(?!TEST_).*_FILE$)/;
/** Folders that every program needs; system accounts have such home folders. */
const OF_SYSTEM = /^\/(?:(?:usr|bin|sbin|lib\w*|etc|dev|proc|sys)(?:\/.*)?)?$/;

/**
 * Returns the data folder first, then the home folder of the account (which contains keys to other services), static
 * folders, and the files named by the environment, the connections and the sign-in file.
 */
export function hiddenPaths(
  { dataDir, staticFolders, signInFile, connections }: HiddenSettings,
  environment: Record<string, string | undefined> = process.env,
  home = homedir(),
): string[] {
  const folders = [dataDir, home, ...staticFolders.map((text) => parseStaticFolder(text).path)];
  const named = Object.entries(environment).flatMap(([name, path]) => (path && NAMES_FILE.test(name) ? [path] : []));
  const passwords = Object.values(connections).flatMap(({ passwordFile }) => passwordFile ?? []);
  const files = [...named, ...passwords, ...(signInFile === '' ? [] : [signInFile, ...filesNamedIn(signInFile)])];
  const hiddenFolders = folders.filter((folder) => !OF_SYSTEM.test(resolve(folder)));
  return [...new Set([...hiddenFolders, ...files].map((path) => resolve(path)))];
}

/**
 * Returns the keys, certificates and passwords that the sign-in file names, relative to itself. Problems with the file
 * are reported elsewhere.
 */
function filesNamedIn(path: string): string[] {
  const found: string[] = [];
  const collect = (name: string, value: unknown): unknown => {
    if (/Files?$/.test(name)) found.push(...[value].flat().filter((each) => typeof each === 'string'));
    return value;
  };
  try {
    JSON.parse(readFileSync(path, 'utf8'), collect);
  } catch {
    return [];
  }
  return found.map((file) => resolve(dirname(resolve(path)), file));
}
