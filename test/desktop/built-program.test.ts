/** The contents of the built desktop client. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildDesktop } from '../../build/build-desktop.ts';
import { whyNoElectron } from '../../scripts/electron-runtime.ts';

test.skipIf(whyNoElectron() !== '')(
  'the built program has its pages and its main, no source and no other package',
  () => {
    const folder = process.env['RUNSHEET_TEST_DESKTOP'] ?? buildDesktop();
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length));
    expect(files).toEqual(
      expect.arrayContaining(['/main.cjs', '/preload.cjs', '/renderer/index.html', '/servers/licences.html']),
    );
    expect(files.filter((path) => /\.(ts|tsx|map|br|gz)$|\.test\./.test(path.replace(/\.d\.ts$/, '')))).toEqual([]);
    const packages = files.filter((path) => path.startsWith('/node_modules/'));
    expect(packages.filter((path) => !path.startsWith('/node_modules/@napi-rs/keyring'))).toEqual([]);
    // Native code must be loaded from a real file.
    expect(packages.filter((path) => path.endsWith('.node'))).toHaveLength(1);
  },
);
