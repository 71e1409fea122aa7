import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFiles } from './node-files.ts';
import { loadPreferences } from './preferences.ts';

test('what was chosen is there at the next start; a damaged file counts as none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-preferences-'));
  const first = await loadPreferences(createFiles(folder));
  expect(first.get()).toEqual({ failedOnly: false, startAtLogin: false, keepInTray: false });
  await Promise.all([first.change({ failedOnly: true }), first.change({ keepInTray: true })]);
  const second = await loadPreferences(createFiles(folder));
  expect(second.get()).toEqual({ failedOnly: true, startAtLogin: false, keepInTray: true });
  await writeFile(join(folder, 'preferences.json'), '{"failedOnly":1}');
  const third = await loadPreferences(createFiles(folder));
  expect(third.get().failedOnly).toBe(false);
  expect(await readFile(join(folder, 'preferences.json'), 'utf8')).toBe('{"failedOnly":1}');
  await rm(folder, { recursive: true });
});
