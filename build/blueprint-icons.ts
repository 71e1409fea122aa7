/**
 * Blueprint can draw an icon by its name, for which every page would carry the list of all their names. Ours are components ("<Play />"), as are those of
 * Blueprint's own parts that a screen uses, so that the loader by names is left out; a name that is used all the same fails where it is drawn.
 */
import type { Plugin } from 'vite';

const LOADER = /@blueprintjs\/icons\/lib\/esm\/iconLoader\.js$/;

const WITHOUT_NAMES = `
const refuse = (name) => { throw new Error('No icon by its name: import the component of ' + name); };
export const Icons = { load: refuse, loadAll: refuse, getPaths: refuse, setLoaderOptions: refuse };
`;

export function blueprintIcons(): Plugin {
  return {
    name: 'blueprint-icons',
    enforce: 'pre',
    apply: 'build',
    load: { filter: { id: LOADER }, handler: () => WITHOUT_NAMES },
  };
}
