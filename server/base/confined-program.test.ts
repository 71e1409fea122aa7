import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { canHide, confinement } from './confined-program.ts';

const base = mkdtempSync(join(tmpdir(), 'confined-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Creates files that each contain their own name. */
function made(...names: string[]): string[] {
  return names.map((name) => {
    const path = join(base, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, name);
    return path;
  });
}

test.skipIf(!canHide([base]))('a program sees hidden folders and files empty, and what lies beside them', () => {
  const files = made('data/secret.key', 'data/deep/rows', 'settings.json', 'beside', 'work/own');
  const [, , settings] = files;
  const hidden = [
    join(base, 'data'),
    settings!,
    join(base, 'data', 'deep'),
    join(base, 'not there'),
    join(base, 'work'),
  ];
  const [command, ...rest] = confinement('/bin/sh', join(base, 'work'), hidden);
  const read =
    'for file in "$@"; do cat "$file" 2>/dev/null; echo; done; umount "$1" 2>/dev/null; cat "$1" 2>/dev/null; true';
  const seen = execFileSync(command!, [...rest, '/bin/sh', '-c', read, 'sh', ...files], { encoding: 'utf8' });
  // The program's own folder is never hidden.
  expect(seen.split('\n')).toEqual(['', '', '', 'beside', 'work/own', '']);
});
