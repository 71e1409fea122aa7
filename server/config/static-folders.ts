/** Static folders in the format of the settings: 'Rates=/srv/rates'. */
import { isAbsolute } from 'node:path';

export interface StaticFolderSetting {
  /** The name that activities use. */
  name: string;
  /** Absolute path. */
  path: string;
}

const MAX_NAME_LENGTH = 60;

export function parseStaticFolder(text: string): StaticFolderSetting {
  const at = text.indexOf('=');
  return { name: text.slice(0, Math.max(0, at)).trim(), path: text.slice(at + 1).trim() };
}

/** Returns true if each folder has a unique name, ignoring case, and an absolute path. */
export function areStaticFolders(texts: readonly string[]): boolean {
  const folders = texts.map(parseStaticFolder);
  const names = new Set(folders.map(({ name }) => name.toLowerCase()));
  return names.size === texts.length && folders.every(isStaticFolder);
}

const isStaticFolder = ({ name, path }: StaticFolderSetting): boolean =>
  name !== '' && name.length <= MAX_NAME_LENGTH && !/[\p{Cc}\\/]/u.test(name) && isAbsolute(path);
