import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setLoginStart } from './login-start.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-login-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('an entry of the desktop starts the program at login, until that is taken back', async () => {
  const entry = join(folder, 'autostart/runsheet.desktop');
  await setLoginStart(folder, '/opt/Runsheet/runsheet', true);
  expect((await readFile(entry, 'utf8')).split('\n')).toEqual([
    '[Desktop Entry]',
    'Type=Application',
    'Name=Runsheet',
    'Exec="/opt/Runsheet/runsheet"',
    'Terminal=false',
    '',
  ]);
  await setLoginStart(folder, '/opt/Runsheet/runsheet', false);
  await expect(readFile(entry)).rejects.toThrow('ENOENT');
  // The entry may already be missing.
  await setLoginStart(folder, '/opt/Runsheet/runsheet', false);
});

test('the path of the program may hold what the entry gives a meaning', async () => {
  await setLoginStart(folder, '/opt/100% "$HOME" `\\/runsheet', true);
  const entry = await readFile(join(folder, 'autostart/runsheet.desktop'), 'utf8');
  expect(entry).toContain('Exec="/opt/100%% \\"\\$HOME\\" \\`\\\\/runsheet"\n');
});
