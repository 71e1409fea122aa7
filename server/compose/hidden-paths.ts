/** What programs that open strangers' workbooks are kept from seeing: all that the portal's account may read of its own. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Config } from '#server/config/config-schema.ts';
import { parseStaticFolder } from '#server/config/static-folders.ts';

type HiddenSettings = Pick<Config, 'dataDir' | 'staticFolders' | 'signInFile' | 'connections'>;

/** RUNSHEET_CONFIG, and the files that settings are in or name. */
const NAMES_FILE = /^RUNSHEET_(?:CONFIG$|(?!TEST_).*_FILE$)/;
/** Folders without which no program runs: accounts of systems have such homes. */
const OF_SYSTEM = /^\/(?:(?:usr|bin|sbin|lib\w*|etc|dev|proc|sys)(?:\/.*)?)?$/;

/**
 * The data folder first, the home of the account (where keys to other services lie), static folders, and the files of the settings:
 * those that the environment, connections and the sign-in file name.
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
  const kept = folders.filter((folder) => !OF_SYSTEM.test(resolve(folder)));
  return [...new Set([...kept, ...files].map((path) => resolve(path)))];
}

/** Keys, certificates and passwords that the sign-in file names, relative to itself. What is wrong with it is told elsewhere. */
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
