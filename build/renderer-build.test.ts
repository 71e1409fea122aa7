import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashSources } from './renderer-build.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'runsheet-sources-'));
  mkdirSync(join(root, 'pages'));
  writeFileSync(join(root, 'pages/a.ts'), 'one');
});
afterEach(() => rmSync(root, { recursive: true }));

const hash = (): string => hashSources(root, ['pages', 'missing', 'settings.ts']);

test('the hash changes with the content of a file, its name, and a new file', () => {
  const hashes = [hash()];
  writeFileSync(join(root, 'pages/a.ts'), 'two');
  hashes.push(hash());
  writeFileSync(join(root, 'pages/b.ts'), '');
  hashes.push(hash());
  writeFileSync(join(root, 'settings.ts'), '');
  hashes.push(hash());
  expect(new Set(hashes).size).toBe(4);
});

test('the hash stays when a file is written again as it was, and when a test changes', () => {
  const before = hash();
  writeFileSync(join(root, 'pages/a.ts'), 'one');
  writeFileSync(join(root, 'pages/a.test.ts'), 'anything');
  expect(hash()).toBe(before);
});
