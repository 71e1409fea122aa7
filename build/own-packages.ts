/** Rarely needed packages are in separate folders with their own package.json, and are installed at their first use. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** npm writes this file when an installation is complete. @param folder ends with '/' */
export const areInstalled = (folder: string): boolean => existsSync(`${folder}node_modules/.package-lock.json`);

/**
 * Installs the packages of a folder once. @param what description that is printed during the installation @throws Error
 * if npm cannot install them
 */
export function installOwnPackages(folder: string, what: string): void {
  if (areInstalled(folder)) return;
  console.error(`Installing ${what}, in ${folder} …`);
  const { status, error } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm could not install ${what}`, { cause: error });
}
