/**
 * Blueprint can draw an icon by its name, for which every page would carry the list of all their names. Ours are components ("<Play />"), as are those of
 * Blueprint's own parts that a screen uses, so that the loader by names is left out; a name that is used all the same fails where it is drawn.
 * They are imported from the module of each, not from that of all: so the build can tell which pages draw which, see page-chunks.ts.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** The module of one icon. */
export const ICON = /@blueprintjs\/icons\/lib\/esm\/generated\/components\/(?!index\.js)[\w-]+\.js$/;

const LOADER = /@blueprintjs\/icons\/lib\/esm\/iconLoader\.js$/;

const WITHOUT_NAMES = `
const refuse = (name) => { throw new Error('No icon by its name: import the component of ' + name); };
export const Icons = { load: refuse, loadAll: refuse, getPaths: refuse, setLoaderOptions: refuse };
`;

/** That of all icons, which a build leaves out. */
export const ICON_LIST = /@blueprintjs\/icons\/lib\/esm\/generated\/(components\/)?index\.js$/;

const IMPORT = /import\s*\{([^}]*)\}\s*from\s*(['"])@blueprintjs\/icons\2;?/g;

/** The path of each icon's module, by the names it is imported under. */
function iconModules(): Map<string, string> {
  const main = createRequire(import.meta.url).resolve('@blueprintjs/icons');
  const folder = join(dirname(main), '../../esm/generated/components');
  const lines = readFileSync(join(folder, 'index.js'), 'utf8').matchAll(/export \{([^}]*)\} from "\.\/([\w-]+)"/g);
  return new Map(
    [...lines].flatMap(([, names = '', file]) =>
      names.split(',').map((name): [string, string] => [name.trim(), join(folder, `${file}.js`)]),
    ),
  );
}

/** The same imports, each icon from its own module; on one line, as what they replace, so that no line moves. */
export function importEachIcon(code: string, modules: ReadonlyMap<string, string>): string {
  return code.replaceAll(IMPORT, (_all, names: string) => {
    const wanted = names.split(',').flatMap((name) => name.trim() || []);
    const pathOf = (name: string): string | undefined => modules.get(name.split(/\s+as\s+/)[0] ?? '');
    const others = wanted.filter((name) => pathOf(name) === undefined);
    const imports = wanted.flatMap((name) => {
      const path = pathOf(name);
      return path === undefined ? [] : [`import { ${name} } from ${JSON.stringify(path)};`];
    });
    if (others.length > 0) imports.push(`import { ${others.join(', ')} } from '@blueprintjs/icons';`);
    return imports.join(' ');
  });
}

export function blueprintIcons(): Plugin {
  let modules: Map<string, string>;
  return {
    name: 'blueprint-icons',
    enforce: 'pre',
    apply: 'build',
    buildStart: () => void (modules = iconModules()),
    transform: {
      filter: { id: /\.[jt]sx?$/, code: /@blueprintjs\/icons['"]/ },
      handler: (code) => ({ code: importEachIcon(code, modules), map: null }),
    },
    load: { filter: { id: LOADER }, handler: () => WITHOUT_NAMES },
  };
}
