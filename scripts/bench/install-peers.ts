/** Installs the programs with which the benches compare: a hundred megabytes that only the benches need. */
import { fileURLToPath } from 'node:url';
import { areInstalled, installOwnPackages } from '../../build/own-packages.ts';

const FOLDER = fileURLToPath(new URL('./peers/', import.meta.url));

export const arePeersInstalled = (): boolean => areInstalled(FOLDER);

/** Installs the peers once. Throws an Error if npm cannot install them. */
export const installPeers = (): void => installOwnPackages(FOLDER, 'what the benches compare with');
