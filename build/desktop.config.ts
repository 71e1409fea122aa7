import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Builds the desktop client's own parts. Main and preload become one CommonJS file each, because a preload script in
 * the sandbox cannot require other files. The pages of servers become a site of files. `mode` selects the part.
 */
export default defineConfig(({ mode }) => {
  if (mode === 'servers') {
    return {
      root: at('../desktop/servers'),
      base: './',
      build: {
        outDir: at('./out/desktop/servers'),
        emptyOutDir: true,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        target: 'chrome114',
      },
      publicDir: false,
    };
  }
  const entry = mode === 'preload' ? '../desktop/preload/preload.ts' : '../desktop/main/electron-main.ts';
  return {
    ssr: { noExternal: true, external: ['electron', '@napi-rs/keyring'] },
    build: {
      ssr: at(entry),
      outDir: at('./out/desktop'),
      emptyOutDir: false,
      target: 'node18',
      minify: false,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: `${mode}.cjs`, codeSplitting: false } },
    },
    publicDir: false,
  };
});
