import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { auditProblems, readAuditReport } from './audit-report.ts';
import {
  installScriptProblems,
  isPermissive,
  licenceProblems,
  originProblems,
  type LockedPackages,
} from './lock-file.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const readLock = (path: string): LockedPackages =>
  (JSON.parse(readFileSync(`${ROOT}${path}`, 'utf8')) as { packages: LockedPackages }).packages;
const packages = readLock('package-lock.json');
const others = ['scripts/bench/peers', 'build/desktop-packager'].map((folder) =>
  readLock(`${folder}/package-lock.json`),
);

describe('the packages we depend on', () => {
  test('have licences that let everybody use what we deliver', () => {
    expect(licenceProblems(packages)).toEqual([]);
  });

  test('come from the npm registry, each as it was when it was chosen', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    expect(originProblems(packages)).toEqual([]);
    for (const own of others) expect(originProblems(own)).toEqual([]);
  });

  test('run nothing when they are installed, except those that are known', () => {
    expect(installScriptProblems(packages)).toEqual([]);
  });
});

describe('a package is found fault with', () => {
  const good = { license: 'MIT', integrity: 'sha512-x' };

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['(MIT AND Zlib)', true],
    ['GPL-3.0-only', false],
    ['MIT AND GPL-3.0-only', false],
    ['SEE LICENSE IN LICENSE', false],
  ])('for its licence: %s is %s', (expression, fine) => {
    expect(isPermissive(expression)).toBe(fine);
  });

  test('if its licence is not accepted, unless it is for development alone', () => {
    expect(
      licenceProblems({
        '': {},
        'node_modules/a': good,
        'node_modules/a/node_modules/b': { ...good, license: 'AGPL-3.0-only' },
        'node_modules/@c/d': { integrity: 'sha512-x' },
        'node_modules/e': { license: 'GPL-2.0', dev: true },
      }),
    ).toEqual(['b: AGPL-3.0-only', '@c/d: no licence']);
  });

  test('where it comes from elsewhere, or could be another tomorrow', () => {
    expect(
      originProblems({
        'node_modules/a': { ...good, resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz' },
        'node_modules/b': { ...good, resolved: 'git+ssh://git@example.org/b.git' },
        'node_modules/c': { license: 'MIT' },
        'node_modules/d': { ...good, integrity: 'sha1-x' },
      }),
    ).toEqual([
      'node_modules/b comes from git+ssh://git@example.org/b.git',
      'node_modules/c has no sha512 integrity',
      'node_modules/d has no sha512 integrity',
    ]);
  });

  test('where it runs a script that is not known', () => {
    const script = { ...good, hasInstallScript: true };
    expect(installScriptProblems({ 'node_modules/node': script, 'node_modules/x/node_modules/y': script })).toEqual([
      'y',
    ]);
  });

  test('where a grave advisory is open, until the day it is let through', () => {
    const advisory = (severity: string) => ({ source: 1, title: 'Breaks', url: `https://a/${severity}`, severity });
    const report = {
      vulnerabilities: {
        a: { via: [advisory('high'), advisory('moderate')] },
        b: { via: ['a', advisory('critical')] },
      },
    };
    const allowed = [{ url: 'https://a/high', until: '2026-12-31', why: 'x' }];
    expect(auditProblems(report, allowed, '2026-12-31')).toEqual(['b (critical): Breaks, https://a/critical']);
    expect(auditProblems(report, allowed, '2027-01-01')).toHaveLength(2);
    expect(readAuditReport('{"message":"405 Method Not Allowed"}')).toBeNull();
    expect(readAuditReport('')).toBeNull();
  });
});
