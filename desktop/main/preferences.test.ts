import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFiles } from './node-files.ts';
import { loadPreferences } from './preferences.ts';

test('what was chosen is there at the next start; a damaged file counts as none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-preferences-'));
  const first = await loadPreferences(createFiles(folder));
  expect(first.get()).toEqual({ runMessages: 'long', startAtLogin: false, keepInTray: false });
  await Promise.all([first.change({ runMessages: 'all' }), first.change({ keepInTray: true })]);
  const second = await loadPreferences(createFiles(folder));
  expect(second.get()).toEqual({ runMessages: 'all', startAtLogin: false, keepInTray: true });
  await writeFile(join(folder, 'preferences.json'), '{"runMessages":1}');
  const third = await loadPreferences(createFiles(folder));
  expect(third.get().runMessages).toBe('long');
  expect(await readFile(join(folder, 'preferences.json'), 'utf8')).toBe('{"runMessages":1}');
  await rm(folder, { recursive: true });
});

test.each([
  [true, 'problems'],
  [false, 'long'],
])(
  'what an earlier version wrote about failed runs (%s) is taken over, and nothing else is lost',
  async (failedOnly, runMessages) => {
    const folder = await mkdtemp(join(tmpdir(), 'runsheet-preferences-'));
    const others = { startAtLogin: true, keepInTray: true, spelling: true, language: 'de' };
    await writeFile(join(folder, 'preferences.json'), JSON.stringify({ failedOnly, ...others }));
    expect((await loadPreferences(createFiles(folder))).get()).toEqual({ runMessages, ...others });
    await rm(folder, { recursive: true });
  },
);
