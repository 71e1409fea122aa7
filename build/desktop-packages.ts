/**
 * The npm packages that the desktop client contains, with their licences: those that its sources import, and their
 * dependencies.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['desktop', 'shared'];

export interface DesktopPackage {
  name: string;
  version: string;
  /** SPDX expression; '' if the package states none. */
  license: string;
  /** Text of the licence file; '' if the package has none. */
  text: string;
}

interface Locked {
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/**
 * Returns the packages sorted by name and version. Packages for other systems are skipped, because they are not
 * installed.
 */
export function desktopPackages(root = ROOT): DesktopPackage[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const paths = new Set<string>();
  const add = (name: string, from: string): void => {
    const path = packagePath(lock.packages, name, from);
    if (path === null || paths.has(path)) return;
    paths.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = lock.packages[path]!;
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (!needed.startsWith('@types/')) add(needed, path);
    }
  };
  for (const name of importedPackages(root)) add(name, '');
  return [...paths]
    .map((path) => describe(root, path, lock.packages[path]!))
    .filter((found) => found !== null)
    .sort((one, other) => (one.name + one.version < other.name + other.version ? -1 : 1));
}

function importedPackages(root: string): Set<string> {
  const names = new Set<string>();
  for (const folder of SOURCES) {
    for (const path of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(tsx?|css)$/.test(path) || /\.test\.tsx?$/.test(path)) continue;
      const text = readFileSync(join(root, folder, path), 'utf8');
      for (const [, name] of text.matchAll(/(?:from|import|import\(|require\() ?['"]((?:@[\w.-]+\/)?[a-z][\w.-]*)/g))
        if (name !== undefined && name !== 'electron' && name !== 'node') names.add(name);
    }
  }
  return names;
}

/** Finds a package as Node does: next to the package that needs it, then further out. */
function packagePath(packages: Record<string, Locked>, name: string, from: string): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (at === '') return null;
  }
}

function describe(root: string, path: string, { version = '', license = '' }: Locked): DesktopPackage | null {
  const folder = join(root, path);
  try {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
    return { name: path.slice(path.lastIndexOf('node_modules/') + 13), version, license, text };
  } catch (error) {
    // The package is for another system. Any other error must not drop a package from the bill of materials.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Builds a page of the program, which may not load scripts. */
export function licencesPage(packages: readonly DesktopPackage[]): string {
  const items = packages.map(({ name, version, license, text }) => {
    const head = `<summary><strong>${escapeHtml(name)}</strong> ${escapeHtml(version)} · ${escapeHtml(license || 'no licence stated')}</summary>`;
    return `<details>${head}<pre>${escapeHtml(text || 'The package came without the text of its licence.')}</pre></details>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8" /><title>Licenses</title><meta name="color-scheme" content="light dark" /><link rel="stylesheet" href="./licences.css" /></head>
<body><main><h1>Licenses</h1>
<p>Runsheet is licensed under Apache-2.0. It contains Electron and Chromium, whose licences lie beside the program (LICENSE.electron.txt, LICENSES.chromium.html), and something of these ${packages.length} packages.</p>
${items.join('\n')}
</main></body></html>
`;
}

interface Sbom {
  metadata: { component: Record<string, unknown>; properties?: unknown };
  components: { name: string; version: string; 'bom-ref': string; scope?: string; properties?: unknown }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Returns a CycloneDX bill of materials of the client: the part of npm's that the client contains, plus Electron. */
export function desktopSbom(packages: readonly DesktopPackage[], electron: string, root = ROOT): Sbom {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const text = execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const whole = JSON.parse(text) as Sbom;
  const wanted = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const own = {
    type: 'application',
    'bom-ref': 'runsheet-desktop',
    name: 'Runsheet',
    version: whole.metadata.component['version'],
  };
  const electronRef = `electron@${electron}`;
  const components = whole.components
    .filter(({ name, version }) => wanted.has(`${name}@${version}`))
    // A development dependency of the portal's project may be a regular part of this program.
    .map(({ scope: _scope, properties: _properties, ...rest }) => rest);
  const refs = new Set(components.map((component) => component['bom-ref']));
  const electronPart = {
    'bom-ref': electronRef,
    type: 'framework',
    name: 'electron',
    version: electron,
    purl: `pkg:npm/electron@${electron}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  return {
    ...whole,
    metadata: { ...whole.metadata, component: own },
    components: [electronPart, ...components],
    dependencies: [
      { ref: 'runsheet-desktop', dependsOn: [electronRef, ...refs] },
      ...whole.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
    ],
  };
}
