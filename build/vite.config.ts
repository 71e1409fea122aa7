import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown, type UserConfig } from 'vite';
import { blueprintIcons } from './blueprint-icons.ts';
import { blueprintStyle } from './blueprint-style.ts';
import { compressedFiles } from './compressed-files.ts';
import { helpPages } from './help-pages.ts';
import { contractSchemas } from './contract-schemas.ts';
import { pageChunks } from './page-chunks.ts';

/** The address of a server to work against with `npx vite --config build/vite.config.ts`. */
const server = process.env['RUNSHEET_URL'] ?? 'http://127.0.0.1:8080';

const page = (name: string): string => fileURLToPath(new URL(`../desktop/renderer/${name}`, import.meta.url));

const input = { index: page('index.html'), public: page('public.html') };

/** What decides which modules a page consists of. */
const renderer = {
  root: fileURLToPath(new URL('../desktop/renderer', import.meta.url)),
  base: './',
  plugins: [react(), blueprintStyle(), blueprintIcons(), helpPages(), contractSchemas()],
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, sourcemap: false, rolldownOptions: { input } },
} satisfies UserConfig;

/**
 * The renderer. Addresses are relative, so that one build serves any base path: the server writes it into <base href>.
 * Nothing is inlined: the content security policy allows neither inline scripts nor data: fonts.
 */
export default defineConfig(async ({ command }) => ({
  ...renderer,
  plugins: [...renderer.plugins, compressedFiles()],
  build: {
    ...renderer.build,
    outDir: fileURLToPath(new URL('./out/renderer', import.meta.url)),
    emptyOutDir: true,
    // Which files a page is made of: the budget of what goes over the wire is held from it.
    manifest: true,
    rolldownOptions: {
      input,
      output: command === 'build' ? await splitByPages() : {},
    },
  },
  server: { proxy: { '/api': server, '/token': server } },
}));

async function splitByPages(): Promise<Rolldown.OutputOptions> {
  const groups = [{ name: await pageChunks(renderer), debugName: 'pages' }];
  return { codeSplitting: { includeDependenciesRecursively: false, groups } };
}
