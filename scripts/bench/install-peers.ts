/** Installs what the benches compare with: a hundred megabytes that nobody else needs. */
import { fileURLToPath } from 'node:url';
import { areInstalled, installOwnPackages } from '../own-packages.ts';

const FOLDER = fileURLToPath(new URL('./peers/', import.meta.url));

export const arePeersInstalled = (): boolean => areInstalled(FOLDER);

/** Once; throws an Error where npm cannot install them. */
export const installPeers = (): void => installOwnPackages(FOLDER, 'what the benches compare with');
