/**
 * Blueprint can draw an icon by its name, but then every page would contain the list of all names. Our icons are
 * components ("<Play />"), and so are those in the Blueprint components that screens use. The loader by name is
 * therefore omitted. An icon that is still used by name fails when it is drawn.
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
