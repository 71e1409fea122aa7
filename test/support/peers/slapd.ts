/** OpenLDAP's own server, if installed on the machine (Debian package slapd). */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyAndCertificate } from './certificates.ts';
import { PEOPLE, READER, BASE_DN, type DirectoryPeer } from './ldap-people.ts';

const SLAPD = '/usr/sbin/slapd';
const SLAPADD = '/usr/sbin/slapadd';
const PID_FILE = 'slapd.pid';

export const hasSlapd = (): boolean => existsSync(SLAPD);

export async function startSlapdPeer(
  { key, certificate }: KeyAndCertificate,
  authority: string,
): Promise<DirectoryPeer> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-slapd-'));
  const at = (name: string): string => join(folder, name);
  await mkdir(at('data'));
  await writeFile(at('key.pem'), key);
  await writeFile(at('certificate.pem'), certificate);
  await writeFile(at('authority.pem'), authority);
  await writeFile(at('slapd.conf'), configuration(folder));
  await writeFile(at('people.ldif'), people());
  await run(SLAPADD, ['-f', at('slapd.conf'), '-l', at('people.ldif')]);
  const { child, plain, secure } = await serve(folder);
  return {
    url: `ldaps://localhost:${secure}`,
    plainUrl: `ldap://localhost:${plain}`,
    stop: async () => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Without TLS it accepts only StartTLS. */
const configuration = (folder: string): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
moduleload /usr/lib/ldap/back_mdb.so
pidfile ${folder}/${PID_FILE}
TLSCACertificateFile ${folder}/authority.pem
TLSCertificateFile ${folder}/certificate.pem
TLSCertificateKeyFile ${folder}/key.pem
security ssf=128
database mdb
suffix "dc=example,dc=org"
directory ${folder}/data
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${READER.dn}" read by * none
`;

function people(): string {
  const head = `dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ${READER.dn}
objectClass: person
cn: reader
sn: reader
userPassword: ${READER.password}

dn: ${BASE_DN}
objectClass: organizationalUnit
ou: people
`;
  const entries = PEOPLE.map(
    ({ uid, givenName, sn, mail, password }) => `
dn: uid=${uid},${BASE_DN}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${givenName} ${sn}
givenName: ${givenName}
sn: ${sn}
mail: ${mail}
userPassword: ${password}
`,
  );
  return head + entries.join('');
}

async function run(command: string, parameters: string[]): Promise<void> {
  const child = spawn(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}

/**
 * slapd does not support port 0. Ports above this range are those the system assigns to programs that request any port.
 */
const [FIRST_PORT, LAST_PORT] = [15_000, 30_000];
const MAX_ATTEMPTS = 20;

interface Served {
  child: ChildProcess;
  plain: number;
  secure: number;
}

/** Tries pairs of random ports until slapd can listen on both. */
async function serve(folder: string): Promise<Served> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const [plain, secure] = [randomInt(FIRST_PORT, LAST_PORT), randomInt(FIRST_PORT, LAST_PORT)];
    const urls = `ldap://127.0.0.1:${plain}/ ldaps://127.0.0.1:${secure}/`;
    const child = spawn(SLAPD, ['-d', '0', '-f', join(folder, 'slapd.conf'), '-h', urls], { stdio: 'ignore' });
    if (await isListening(child, folder)) return { child, plain, secure };
  }
  throw new Error(`slapd found no two free ports in ${MAX_ATTEMPTS} attempts`);
}

/** slapd writes its pid once it listens on all its ports, and exits if it cannot listen. */
async function isListening(child: ChildProcess, folder: string): Promise<boolean> {
  while (child.exitCode === null) {
    if (existsSync(join(folder, PID_FILE))) return true;
    await pause(20);
  }
  return false;
}
