/**
 * Removes the parts of Blueprint's style sheet that no screen uses. It comes as one file, and browsers would load most
 * of it for nothing. The omitted parts are listed by component. The build fails if a page contains the code of such a
 * component; it must then be removed from the list.
 */
import { transform } from 'lightningcss';
import type { Plugin } from 'vite';

const STYLE = /@blueprintjs\/core\/lib\/css\/blueprint\.css$/;

/**
 * Modules of Blueprint's core, below lib/esm/components, and the classes (without prefix) that only these modules use.
 */
const SKIPPED: { modules: RegExp; classes: RegExp }[] = [
  { modules: /^breadcrumbs\//, classes: /^breadcrumb/ },
  { modules: /^card-list\//, classes: /^card-list/ },
  { modules: /^control-card\//, classes: /^control-card/ },
  { modules: /^dialog\/(dialogStep|multistepDialog)/, classes: /^(dialog-step|multistep)/ },
  { modules: /^drawer\//, classes: /^drawer/ },
  { modules: /^editable-text\//, classes: /^editable-text/ },
  { modules: /^entity-title\//, classes: /^entity-title/ },
  { modules: /^forms\/fileInput/, classes: /^file-(input|upload)/ },
  { modules: /^forms\/numericInput/, classes: /^numeric-input/ },
  { modules: /^navbar\//, classes: /^navbar/ },
  { modules: /^non-ideal-state\//, classes: /^non-ideal-state/ },
  { modules: /^panel-stack/, classes: /^panel-stack/ },
  { modules: /^section\//, classes: /^section/ },
  { modules: /^segmented-control\//, classes: /^segmented-control/ },
  { modules: /^slider\//, classes: /^slider/ },
  { modules: /^tabs\//, classes: /^tabs?($|-)/ },
  { modules: /^tree\//, classes: /^tree/ },
];

/** Icons are components here. Blueprint's icon font is not used, and its files are not served. */
const ICON_LETTER = /^icon-/;

/** Returns the class names of the style sheet that no screen uses. */
function unusedClasses(style: string): string[] {
  const names = [
    ...new Set([...style.matchAll(/\.(bp\d+-)([a-z\d-]+)/g)].map(([, prefix, name]) => `${prefix}${name}`)),
  ];
  return names.filter((className) => {
    const name = className.replace(/^bp\d+-/, '');
    return ICON_LETTER.test(name) || SKIPPED.some(({ classes }) => classes.test(name));
  });
}

/** Returns the style sheet without the rules for those classes. */
function usedStyle(style: string): string {
  const { code } = transform({
    filename: 'blueprint.css',
    code: Buffer.from(style),
    minify: true,
    unusedSymbols: unusedClasses(style),
  });
  return code.toString();
}

export function blueprintStyle(): Plugin {
  return {
    name: 'blueprint-style',
    enforce: 'pre',
    apply: 'build',
    transform: (code, id) => (STYLE.test(id) ? { code: usedStyle(code), map: null } : null),
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? Object.entries(file.modules) : []));
      for (const [id, { renderedLength }] of ids) {
        const path = /@blueprintjs\/core\/lib\/esm\/components\/(.*)$/.exec(id)?.[1];
        if (path !== undefined && renderedLength > 0 && SKIPPED.some(({ modules }) => modules.test(path)))
          this.error(
            `${path} is used in a page, but its style is excluded: remove it from the list in build/blueprint-style.ts`,
          );
      }
    },
  };
}
