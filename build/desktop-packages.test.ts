/**
 * Tests what the packages of the desktop client are built from: Electron settings, layout, bill of materials and
 * licences.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { desktopPackages, desktopSbom, licencesPage } from './desktop-packages.ts';
import { PACKAGERS } from './linux-packages.ts';
import { builderConfig, hasTool } from './package-desktop.ts';

const ICON = '<svg xmlns="http://www.w3.org/2000/svg" />';

test('the Electron of a package is no Node, takes no options and no debugger, and loads its own archive alone', () => {
  const fuses = {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
  };
  const expected = { asar: true, publish: null, electronFuses: fuses };
  expect(builderConfig({ app: '/app', output: '/out', electron: '25.1.1' })).toMatchObject(expected);
  const newer = { ...expected, electronFuses: { ...fuses, grantFileProtocolExtraPrivileges: false } };
  expect(builderConfig({ app: '/app', output: '/out', electron: '45.4.1' })).toMatchObject(newer);
});

describe('a package of a program', () => {
  let work: string;
  const program = () => ({
    folder: join(work, 'program'),
    version: '1.2.3',
    icon: join(work, 'icon.svg'),
    output: work,
    isCompressed: false,
  });
  beforeAll(() => {
    work = mkdtempSync(join(tmpdir(), 'runsheet-layout-'));
    mkdirSync(join(work, 'program/resources'), { recursive: true });
    writeFileSync(join(work, 'icon.svg'), ICON);
    for (const name of ['runsheet', 'chrome-sandbox'])
      writeFileSync(join(work, 'program', name), name, { mode: 0o755 });
    writeFileSync(join(work, 'program/resources/app.asar'), 'the archive');
  });
  afterAll(() => rmSync(work, { recursive: true }));
  const say = (command: string, ...args: string[]): string => execFileSync(command, args, { encoding: 'utf8' });

  test('for Debian has the program, its entry of the menu, its links and the helper of its sandbox', (context) => {
    if (!hasTool(PACKAGERS.deb.tool)) context.skip('no dpkg-deb here');
    const deb = PACKAGERS.deb.make(program());
    const listed = say('dpkg-deb', '--contents', deb);
    expect(listed).toMatch(/^-rwsr-xr-x root\/root .*\.\/opt\/Runsheet\/chrome-sandbox$/m);
    expect(listed).toMatch(/^-rwxr-xr-x root\/root .*\.\/opt\/Runsheet\/runsheet$/m);
    expect(listed).toMatch(/\.\/usr\/bin\/runsheet -> \/opt\/Runsheet\/runsheet$/m);
    expect(say('dpkg-deb', '--field', deb, 'Depends')).toContain('libgtk-3-0');
    const unpacked = join(work, 'unpacked');
    say('dpkg-deb', '--extract', deb, unpacked);
    const entry = readFileSync(join(unpacked, 'usr/share/applications/runsheet.desktop'), 'utf8');
    expect(entry).toContain('MimeType=x-scheme-handler/runsheet;');
    expect(entry).toContain('Exec=/opt/Runsheet/runsheet %U');
    expect(readFileSync(join(unpacked, 'opt/Runsheet/resources/app.asar'), 'utf8')).toBe('the archive');
  });

  test('for Red Hat has the same', (context) => {
    if (!hasTool(PACKAGERS.rpm.tool)) context.skip('no rpmbuild here');
    const listed = say('rpm', '--query', '--package', '--list', '--verbose', PACKAGERS.rpm.make(program()));
    expect(listed).toMatch(/^-rwsr-xr-x .*\/opt\/Runsheet\/chrome-sandbox$/m);
    expect(listed).toMatch(/\/usr\/bin\/runsheet -> \/opt\/Runsheet\/runsheet$/m);
    expect(listed).toMatch(/\/usr\/share\/applications\/runsheet\.desktop$/m);
  });
});

test('what is in the client is in its bill of materials, in CycloneDX, and nothing of the server is', () => {
  const bill = desktopSbom(desktopPackages(), '45.4.1') as ReturnType<typeof desktopSbom> & { bomFormat: string };
  expect([bill.bomFormat, bill.metadata.component['name']]).toEqual(['CycloneDX', 'Runsheet']);
  const names = bill.components.map(({ name }) => name.replace(/^.*\//, ''));
  expect(names).toEqual(expect.arrayContaining(['electron', 'react', 'typebox', 'keyring', 'core']));
  expect(names).not.toContain('fastify');
  expect(names).not.toContain('vitest');
  const refs = new Set([...bill.components.map((one) => one['bom-ref']), 'runsheet-desktop']);
  const named = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(named.filter((ref) => !refs.has(ref))).toEqual([]);
});

test('the licences of all that is in the client are on a page without a script', () => {
  const packages = desktopPackages();
  const page = licencesPage(packages);
  for (const { name, version } of packages) expect(page).toContain(`<strong>${name}</strong> ${version}`);
  expect(packages.map(({ name }) => name)).toContain('react');
  expect(page).toContain('Permission is hereby granted');
  expect(page).not.toContain('<script');
});
