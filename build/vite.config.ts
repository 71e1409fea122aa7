import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The address of a server to work against with `npx vite --config build/vite.config.ts`. */
const server = process.env['RUNSHEET_URL'] ?? 'http://127.0.0.1:8080';

/**
 * The renderer. Addresses are relative, so that one build serves any base path: the server writes it into <base href>.
 * Nothing is inlined: the content security policy allows neither inline scripts nor data: fonts.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../desktop/renderer', import.meta.url)),
  base: './',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('./out/renderer', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  server: { proxy: { '/api': server, '/token': server } },
});
