/**
 * Includes the documentation in the build: `virtual:help/running` is docs/running.md as data for the help pages, each
 * in a separate file. Supports only the Markdown that the documentation uses. Images and comments are skipped.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { readHelpPage } from './help-page.ts';

const PREFIX = 'virtual:help/';
const DOCS = new URL('../docs/', import.meta.url);

export function helpPages(): Plugin {
  return {
    name: 'help-pages',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const file = fileURLToPath(new URL(`${id.slice(PREFIX.length + 1)}.md`, DOCS));
      this.addWatchFile(file);
      return `export default ${JSON.stringify(readHelpPage(readFileSync(file, 'utf8')))}`;
    },
  };
}
