import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findInstalledOffice } from './find-office.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'runsheet-find-office-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('an installed LibreOffice', () => {
  const programs = join(folder, 'office', 'program');
  const program = join(programs, 'soffice.bin');
  mkdirSync(join(folder, 'bin'));
  mkdirSync(programs, { recursive: true });
  writeFileSync(program, '');
  writeFileSync(join(programs, 'soffice'), '');
  symlinkSync(join(programs, 'soffice'), join(folder, 'bin', 'soffice'));

  it('is found by its program, its start script or its folder, and in the PATH', () => {
    for (const configured of [program, join(programs, 'soffice'), programs, join(folder, 'office')]) {
      expect(findInstalledOffice(configured)).toEqual({ program, version: '' });
    }
    expect(findInstalledOffice('', { PATH: join(folder, 'bin') })).toEqual({ program, version: '' });
  });

  it('says its version', () => {
    writeFileSync(
      join(programs, 'bootstraprc'),
      '[Bootstrap]\nInstallMode=<installmode>\nProductKey=LibreOffice 7.4\n',
    );
    expect(findInstalledOffice(program)).toEqual({ program, version: '7.4' });
  });

  it('is not found if it is switched off, or missing at the configured path', () => {
    expect(findInstalledOffice('off', { PATH: join(folder, 'bin') })).toBeNull();
    expect(findInstalledOffice(join(folder, 'elsewhere'), { PATH: join(folder, 'bin') })).toBeNull();
  });
});
