/** The packages of which something is in the desktop client, with their licences: what its pages and its main import, and what those need in turn. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['desktop', 'shared'];

export interface DesktopPackage {
  name: string;
  version: string;
  /** As an SPDX expression; '' where the package says none. */
  license: string;
  /** Its licence as it came; '' where it came without. */
  text: string;
}

interface Locked {
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** By name and version. Packages for other systems are left out, as they are not installed. */
export function desktopPackages(root = ROOT): DesktopPackage[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const places = new Set<string>();
  const add = (name: string, from: string): void => {
    const place = placeOf(lock.packages, name, from);
    if (place === null || places.has(place)) return;
    places.add(place);
    const { dependencies, optionalDependencies, peerDependencies } = lock.packages[place]!;
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (!needed.startsWith('@types/')) add(needed, place);
    }
  };
  for (const name of importedPackages(root)) add(name, '');
  return [...places]
    .map((place) => describe(root, place, lock.packages[place]!))
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

/** As Node looks for it: beside what needs it, then further out. */
function placeOf(packages: Record<string, Locked>, name: string, from: string): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (at === '') return null;
  }
}

function describe(root: string, place: string, { version = '', license = '' }: Locked): DesktopPackage | null {
  const folder = join(root, place);
  try {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
    return { name: place.slice(place.lastIndexOf('node_modules/') + 13), version, license, text };
  } catch (error) {
    // For another system. Whatever else fails must not leave a package out of the bill of materials.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A page of the program, which may load no script. */
export function licencesPage(packages: readonly DesktopPackage[]): string {
  const items = packages.map(({ name, version, license, text }) => {
    const head = `<summary><strong>${escapeHtml(name)}</strong> ${escapeHtml(version)} · ${escapeHtml(license || 'no licence stated')}</summary>`;
    return `<details>${head}<pre>${escapeHtml(text || 'The package came without the text of its licence.')}</pre></details>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8" /><title>Licences</title><meta name="color-scheme" content="light dark" /><link rel="stylesheet" href="./licences.css" /></head>
<body><main><h1>Licences</h1>
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

/** A bill of materials of the client in CycloneDX: of npm's the part that is in it, and Electron. */
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
    // For development in the portal's own project, but a part of this program.
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
