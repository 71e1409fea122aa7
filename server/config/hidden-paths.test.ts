import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hiddenPaths } from './hidden-paths.ts';

const NOTHING = { dataDir: '/srv/data', staticFolders: [], signInFile: '', connections: {} };

test('what settings, connections and the sign-in file name is hidden, with the home of the account', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hidden-'));
  try {
    const signInFile = join(folder, 'sign-in.json');
    const saml2 = [{ privateKeyFile: 'keys/own.pem', certificateFiles: ['/etc/idp/one.pem', 'two.pem'] }];
    writeFileSync(signInFile, JSON.stringify({ saml2, directories: [{ bindPasswordFile: '/run/bind' }] }));
    const settings = {
      ...NOTHING,
      staticFolders: ['Rates=/srv/rates'],
      signInFile,
      connections: { Shop: { url: 'postgres://x', passwordFile: '/run/shop' }, Open: { url: 'postgres://y' } },
    };
    const environment = {
      RUNSHEET_CONFIG: '/etc/runsheet.json',
      RUNSHEET_DATABASE_URL_FILE: '/run/database',
      RUNSHEET_SMTP_HOST: '/not/a/file',
      RUNSHEET_TEST_MSSQL_CA_FILE: '/not/ours',
      SSL_CERT_FILE: '/etc/ssl/all.pem',
    };
    expect(hiddenPaths(settings, environment, '/home/portal')).toEqual([
      '/srv/data',
      '/home/portal',
      '/srv/rates',
      '/etc/runsheet.json',
      '/run/database',
      '/run/shop',
      signInFile,
      join(folder, 'keys/own.pem'),
      '/etc/idp/one.pem',
      join(folder, 'two.pem'),
      '/run/bind',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(['/', '/bin', '/usr/sbin', '/etc', '/dev/shm'])('a home without which no program runs, %s, stays', (home) => {
  expect(hiddenPaths(NOTHING, {}, home)).toEqual(['/srv/data']);
});

test('a sign-in file that cannot be read hides itself alone', () => {
  expect(hiddenPaths({ ...NOTHING, signInFile: '/srv/none.json' }, {}, '/')).toEqual(['/srv/data', '/srv/none.json']);
});
