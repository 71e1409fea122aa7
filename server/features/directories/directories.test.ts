import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkSignInSources, type DirectorySettings } from '#server/config/sign-in-sources.ts';
import { makeCertificate, makeServerCertificate, type KeyAndCertificate } from '#test/support/peers/certificates.ts';
import { DIRECTORY_SETTINGS, PEOPLE, READER, type DirectoryPeer } from '#test/support/peers/ldap-people.ts';
import { startLdapPeer, type LdapPeer } from '#test/support/peers/ldap.ts';
import { listen } from '#test/support/peers/peer.ts';
import { hasSlapd, startSlapdPeer } from '#test/support/peers/slapd.ts';
import { createDirectory, type Directory } from './directory.ts';
import { userFilter } from './directory-filter.ts';

const [grace] = PEOPLE;

let authority: KeyAndCertificate;
let server: KeyAndCertificate;
beforeAll(async () => {
  authority = await makeCertificate('Test authority', { isAuthority: true });
  server = await makeServerCertificate(authority);
});

const directoryAt = (url: string, changes: Partial<DirectorySettings> = {}, ca = authority.certificate): Directory =>
  createDirectory({ ...DIRECTORY_SETTINGS, urls: [url], ...changes }, { bindPassword: READER.password, ca });

interface Peer {
  name: string;
  start: () => Promise<DirectoryPeer>;
}
const peers: Peer[] = [{ name: 'ldapjs', start: () => startLdapPeer(server) }];
if (hasSlapd()) peers.push({ name: 'OpenLDAP', start: () => startSlapdPeer(server, authority.certificate) });

describe.each(peers)('a directory served by $name', ({ name, start }) => {
  let peer: DirectoryPeer;
  beforeAll(async () => {
    peer = await start();
  });
  afterAll(() => peer.stop());

  test('finds a person and takes their password, and no other', async () => {
    const directory = directoryAt(peer.url);
    const profile = { UserName: 'grace', FirstName: 'Grace', LastName: 'Hopper', Email: 'grace@example.org' };
    expect(await directory.find('grace')).toMatchObject(profile);
    expect(await directory.authenticate('grace', grace!.password)).toMatchObject(profile);
    expect(await directory.authenticate('grace', 'wrong')).toBeNull();
    expect(await directory.authenticate('edsger', grace!.password)).toBeNull();
    expect(await directory.authenticate('nobody', grace!.password)).toBeNull();
  });

  test('is never asked with an empty password, which servers take for a bind as nobody', async () => {
    expect(await directoryAt(peer.url).authenticate('grace', '')).toBeNull();
    expect(await directoryAt(peer.url).authenticate('', grace!.password)).toBeNull();
  });

  test('finds a name with characters of filters as such, and nothing by wildcards or filters written as names', async () => {
    const directory = directoryAt(peer.url);
    // ldapjs compares the escaped value, and therefore finds nobody.
    if (name === 'OpenLDAP')
      expect(await directory.authenticate('o (ops)*', 'Paren-Theses-7')).toMatchObject({ FirstName: 'Olga' });
    for (const typed of ['*', 'gr*', 'grace)(uid=*', '*)(|(uid=*', 'grace)(mail=grace@example.org', '\\67race'])
      expect(await directory.authenticate(typed, grace!.password), typed).toBeNull();
  });

  test('must show a certificate of the authority, for its own name', async () => {
    const other = await makeCertificate('Other authority', { isAuthority: true });
    await expect(directoryAt(peer.url, {}, other.certificate).find('grace')).rejects.toThrow('cannot be asked');
    const byAddress = peer.url.replace('localhost', '127.0.0.1');
    await expect(directoryAt(byAddress).find('grace')).rejects.toThrow('cannot be asked');
  });

  test('is not queried with a wrong password of our own without a report', async () => {
    const directory = createDirectory(
      { ...DIRECTORY_SETTINGS, urls: [peer.url] },
      { bindPassword: 'wrong', ca: authority.certificate },
    );
    await expect(directory.authenticate('grace', grace!.password)).rejects.toThrow('cannot be asked');
  });

  test('is asked at its next address where one does not answer', async () => {
    const directory = directoryAt(peer.url, { urls: ['ldaps://localhost:1', peer.url] });
    expect(await directory.authenticate('grace', grace!.password)).toMatchObject({ UserName: 'grace' });
  });
});

describe.skipIf(!hasSlapd())('StartTLS, with OpenLDAP', () => {
  let peer: DirectoryPeer;
  beforeAll(async () => {
    peer = await startSlapdPeer(server, authority.certificate);
  });
  afterAll(() => peer.stop());

  test('encrypts before anything is said', async () => {
    const directory = directoryAt(peer.plainUrl!, { startTls: true });
    expect(await directory.authenticate('grace', grace!.password)).toMatchObject({ UserName: 'grace' });
    expect(await directory.authenticate('grace', 'wrong')).toBeNull();
    // This server does not answer in plain text, so the test can tell.
    await expect(directoryAt(peer.plainUrl!).find('grace')).rejects.toThrow('cannot be asked');
  });

  test('wants the certificate to be of the authority too', async () => {
    const other = await makeCertificate('Other authority', { isAuthority: true });
    const directory = directoryAt(peer.plainUrl!, { startTls: true }, other.certificate);
    await expect(directory.authenticate('grace', grace!.password)).rejects.toThrow('cannot be asked');
  });
});

describe('a directory that misbehaves', () => {
  let peer: LdapPeer;
  beforeAll(async () => {
    peer = await startLdapPeer(server);
  });
  afterAll(() => peer.stop());

  test('is given up when it says nothing', async () => {
    peer.misbehave('silence');
    await expect(directoryAt(peer.url, { timeoutSeconds: 1 }).find('grace')).rejects.toThrow('cannot be asked');
  });

  test('cannot send us on to another server', async () => {
    peer.misbehave('referral');
    await expect(directoryAt(peer.url).authenticate('grace', grace!.password)).rejects.toThrow('cannot be asked');
  });

  test('vouches for nobody where a name stands for two', async () => {
    peer.misbehave('twice');
    const before = peer.binds.length;
    expect(await directoryAt(peer.url).authenticate('grace', grace!.password)).toBeNull();
    expect(peer.binds.length).toBe(before + 1);
  });

  test('is given up when it takes no connection further', async () => {
    const { port, stop } = await listen(createServer());
    await expect(directoryAt(`ldaps://localhost:${port}`, { timeoutSeconds: 1 }).find('grace')).rejects.toThrow();
    await expect(
      directoryAt(`ldap://localhost:${port}`, { timeoutSeconds: 1, startTls: true }).find('grace'),
    ).rejects.toThrow('cannot be asked');
    await stop();
  });
});

test('a name is written into a filter as RFC 4515 says', () => {
  expect(userFilter('(uid={name})', 'a*b(c)d\\e\0f')).toBe('(uid=a\\2ab\\28c\\29d\\5ce\\00f)');
  expect(userFilter('(|(uid={name})(mail={name}))', '$&$1')).toBe('(|(uid=$&$1)(mail=$&$1))');
});

test('settings by which passwords would travel readably are refused', () => {
  const problemOf = (changes: object): string => {
    try {
      checkSignInSources({ directories: [{ ...DIRECTORY_SETTINGS, urls: ['ldaps://dc'], ...changes }] }, '.');
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(problemOf({})).toBe('');
  expect(problemOf({ urls: ['ldap://dc'] })).toMatch(/unencrypted/);
  expect(problemOf({ urls: ['ldap://dc'], startTls: true })).toBe('');
  expect(problemOf({ urls: ['https://dc'] })).toMatch(/urls/);
  expect(problemOf({ bindPasswordFile: 'x' })).toMatch(/either bindPassword or bindPasswordFile/);
  expect(problemOf({ userFilter: 'uid={name}' })).toMatch(/userFilter/);
  expect(problemOf({ colour: 'red' })).toMatch(/additional/i);
});
