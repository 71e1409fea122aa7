import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './compressed-files.ts';
import { contractSchemas } from './contract-schemas.ts';

/**
 * The task pane of the Excel add-in. It is a separate build from the portal's pages, so that neither contains code of
 * the other. The server writes the base into its page, as for the portal's pages.
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
