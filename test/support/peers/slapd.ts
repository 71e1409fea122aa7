/** OpenLDAP's own server, where the machine has it (Debian package slapd). */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyAndCertificate } from './certificates.ts';
import { PEOPLE, READER, BASE_DN, type DirectoryPeer } from './ldap-people.ts';

const SLAPD = '/usr/sbin/slapd';
const SLAPADD = '/usr/sbin/slapadd';

export const hasSlapd = (): boolean => existsSync(SLAPD);

export async function startSlapd({ key, certificate }: KeyAndCertificate, authority: string): Promise<DirectoryPeer> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-slapd-'));
  const at = (name: string): string => join(folder, name);
  await mkdir(at('data'));
  await writeFile(at('key.pem'), key);
  await writeFile(at('certificate.pem'), certificate);
  await writeFile(at('authority.pem'), authority);
  await writeFile(at('slapd.conf'), configuration(folder));
  await writeFile(at('people.ldif'), people());
  await run(SLAPADD, ['-f', at('slapd.conf'), '-l', at('people.ldif')]);
  const [plain, secure] = [await freePort(), await freePort()];
  const urls = `ldap://127.0.0.1:${plain}/ ldaps://127.0.0.1:${secure}/`;
  const child = spawn(SLAPD, ['-d', '0', '-f', at('slapd.conf'), '-h', urls], { stdio: 'ignore' });
  for (const port of [plain, secure]) await untilOpen(child, port);
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

/** Without TLS it answers nothing but StartTLS. */
const configuration = (folder: string): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
moduleload /usr/lib/ldap/back_mdb.so
pidfile ${folder}/slapd.pid
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

/** slapd takes no port 0. Those that systems give to others who do lie above: nobody gets this one before slapd does. */
const [FIRST_PORT, LAST_PORT] = [15_000, 30_000];

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

async function untilOpen(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`slapd ended with ${child.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await pause(20);
  }
}
