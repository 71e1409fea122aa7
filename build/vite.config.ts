import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The address of a server to work against with `npx vite --config build/vite.config.ts`. */
const server = process.env['RUNSHEET_URL'] ?? 'http://127.0.0.1:8080';

/** See typebox-without-checks.ts. */
const withoutTypebox: Plugin = {
  name: 'without-typebox',
  enforce: 'pre',
  resolveId: (source) => {
    if (source === 'typebox') return fileURLToPath(new URL('./typebox-without-checks.ts', import.meta.url));
    if (source.startsWith('typebox/')) throw new Error(`The renderer has no schemas to check with: ${source}`);
    return null;
  },
};

/**
 * The renderer. Addresses are relative, so that one build serves any base path: the server writes it into <base href>.
 * Nothing is inlined: the content security policy allows neither inline scripts nor data: fonts.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../desktop/renderer', import.meta.url)),
  base: './',
  plugins: [withoutTypebox, react()],
  build: {
    outDir: fileURLToPath(new URL('./out/renderer', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  server: { proxy: { '/api': server, '/token': server } },
});
