/** Installs what the benches compare with: a hundred megabytes that nobody else needs. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('./peers/', import.meta.url));

export const arePeersInstalled = (): boolean => existsSync(`${FOLDER}node_modules/.package-lock.json`);

/** Once; throws an Error where npm cannot install them. */
export function installPeers(): void {
  if (arePeersInstalled()) return;
  console.error('Installing what the benches compare with, in scripts/bench/peers …');
  const { status, error } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: FOLDER,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('The peers of the benches could not be installed', { cause: error });
}
