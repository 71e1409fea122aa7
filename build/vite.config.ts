import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown, type UserConfig } from 'vite';
import { blueprintIcons } from './blueprint-icons.ts';
import { blueprintStyle } from './blueprint-style.ts';
import { compressedFiles } from './compressed-files.ts';
import { helpPages } from './help-pages.ts';
import { contractSchemas } from './contract-schemas.ts';
import { pageChunks } from './page-chunks.ts';

/** URL of the server to develop against with `npx vite --config build/vite.config.ts`. */
const server = process.env['RUNSHEET_URL'] ?? 'http://127.0.0.1:8080';

const page = (name: string): string => fileURLToPath(new URL(`../desktop/renderer/${name}`, import.meta.url));

const input = { index: page('index.html'), public: page('public.html') };

/** Settings that determine of which modules a page consists. */
const renderer = {
  root: fileURLToPath(new URL('../desktop/renderer', import.meta.url)),
  base: './',
  plugins: [react(), blueprintStyle(), blueprintIcons(), helpPages(), contractSchemas()],
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, sourcemap: false, rolldownOptions: { input } },
} satisfies UserConfig;

/**
 * The renderer. URLs are relative, so that one build serves any base path: the server writes it into <base href>.
 * Nothing is inlined, because the content security policy allows neither inline scripts nor data: fonts.
 */
export default defineConfig(async ({ command }) => ({
  ...renderer,
  plugins: [...renderer.plugins, compressedFiles()],
  build: {
    ...renderer.build,
    outDir: fileURLToPath(new URL('./out/renderer', import.meta.url)),
    emptyOutDir: true,
    // Lists the files of each page. The test of the size budget reads it.
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
