import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PROGRAM = `
import { warnOfVisibleFolders } from '#server/executors/libreoffice/warn-of-visible-folders.ts';
warnOfVisibleFolders({ warn: (text) => console.log(text) }, [process.argv[1]]);
`;
/** Forbids user namespaces for all programs started by the rest of the command. */
const FORBIDDEN = [
  '--user',
  '--map-root-user',
  'sh',
  '-c',
  'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"',
  'sh',
];
const isAllowed =
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

const node = [process.execPath, '--input-type=module', '-e', PROGRAM];

test('where user namespaces are forbidden, the log says what LibreOffice could read and what to do; elsewhere nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'visible-'));
  try {
    const said = (command: string, args: string[]): string =>
      execFileSync(command, [...args, folder], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [first, ...rest] = node;
    const here = said(first!, rest);
    const lines = (isAllowed ? said('unshare', [...FORBIDDEN, ...node]) : here).trim().split('\n');
    if (isAllowed) expect(here).toBe('');
    expect(lines).toHaveLength(1);
    for (const part of [folder, 'secret.key', 'Allow user namespaces', 'user of its own', 'RUNSHEET_LIBRE_OFFICE=off'])
      expect(lines[0]).toContain(part);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
