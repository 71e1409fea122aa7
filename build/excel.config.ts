import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './compressed-files.ts';
import { contractSchemas } from './contract-schemas.ts';

/**
 * The task pane of the add-in for Excel: a build of its own beside the portal's pages, so that neither carries anything of the other. The base
 * is written into its page as into theirs.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../desktop/renderer/excel', import.meta.url)),
  base: './',
  publicDir: 'icons',
  plugins: [react(), contractSchemas(), compressedFiles()],
  build: {
    outDir: fileURLToPath(new URL('./out/renderer/excel', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    manifest: true,
  },
});
