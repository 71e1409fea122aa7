import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hashLintInputs } from './lint-inputs.ts';

test('the hash changes with each file that the linter reads, and with no other', () => {
  const root = mkdtempSync(join(tmpdir(), 'runsheet-lint-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    return hashLintInputs(root);
  };

  const hashes = [
    write('server/main.ts', 'one'),
    write('server/main.ts', 'two'),
    write('server/main.test.ts', 'one'),
    write('desktop/Page.tsx', 'one'),
    write('.oxlintrc.json', '{}'),
    write('package-lock.json', '{}'),
    write('node_modules/.package-lock.json', '{}'),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
  const same = [write('README.md', 'one'), write('node_modules/a/index.ts', 'one'), write('build/out/page.js', 'one')];
  expect(new Set([...same, hashes.at(-1)]).size).toBe(1);
});
