import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { readSyslogAddress } from '#server/config/security-log-settings.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { makeCertificate, makeServerCertificate } from '#test/support/peers/certificates.ts';
import { listen } from '#test/support/peers/peer.ts';
import { actionHash, type SecurityActionRow } from '#server/access/audit/action-hash.ts';
import { THE_PROGRAM } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { createSecurityLogForwarder, type SecurityLogForwarder } from './security-log-forwarder.ts';
import { createSyslogSender } from './syslog-sender.ts';

const log = pino({ level: 'silent' });

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.knex('SecurityActions').delete();
  await database.knex('SecurityLogTargets').delete();
});

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const record = (...names: string[]): Promise<void> =>
  inTransaction(database.knex, (trx) =>
    recordActions(
      trx,
      THE_PROGRAM,
      names.map((TargetRole) => ({ Action: 'CreateRole', TargetRole })),
    ),
  );

function forwarderTo(target: string, ca?: string): SecurityLogForwarder {
  return createSecurityLogForwarder({
    database,
    log,
    target,
    send: createSyslogSender(readSyslogAddress(target)!, ca),
  });
}

/** Listens, and reads octet-counted frames as described in RFC 6587. */
async function listener(server: Server): Promise<{ port: number; messages: string[] }> {
  const messages: string[] = [];
  const take = (socket: Socket): void => {
    let rest = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      for (;;) {
        const [head, length] = /^(\d+) /.exec(rest.toString('latin1')) ?? [];
        if (head === undefined || rest.length < head.length + Number(length)) return;
        messages.push(rest.subarray(head.length, head.length + Number(length)).toString('utf8'));
        rest = rest.subarray(head.length + Number(length));
      }
    });
  };
  server.on('connection', (socket: Socket) => ('encrypted' in server ? undefined : take(socket)));
  server.on('secureConnection', take);
  const { port, stop } = await listen(server);
  cleanups.push(stop);
  return { port, messages };
}

const HEADER = /^<109>1 (\d{4}-\d\d-\d\dT[\d:.]+Z) (\S+) runsheet (\d+) CreateRole - (\{.*\})$/;

function rowOf(message: string): SecurityActionRow {
  const [, time, , , json = ''] = HEADER.exec(message) ?? [];
  const row = JSON.parse(json) as SecurityActionRow;
  expect(row.Time).toBe(time);
  return { ...row, Time: new Date(row.Time) };
}

test('all actions come over TCP in order, once, as they were written', async () => {
  const names = ['Sales', 'Ärger "im" Büro\n<109>1', 'Finance 💶'];
  await record(...names);
  const { port, messages } = await listener(createServer());
  const forwarder = forwarderTo(`tcp://127.0.0.1:${port}`);
  expect(await forwarder.sendNew()).toBe(3);
  expect(await forwarder.sendNew()).toBe(0);
  await record('Later');
  expect(await forwarder.sendNew()).toBe(1);
  const rows = messages.map(rowOf);
  expect(rows.map(({ TargetRole }) => TargetRole)).toEqual([...names, 'Later']);
  expect(rows.map(({ Id }) => Id)).toEqual([1, 2, 3, 4]);
  // A receiver can verify the chain.
  for (const row of rows) expect(actionHash(row)).toBe(row.Hash);
  expect(messages.every((message) => /^[\x20-\x7e]*$/.test(message))).toBe(true);
});

test('several servers send each action once', async () => {
  await record(...Array.from({ length: 1200 }, (_, index) => `role ${index}`));
  const { port, messages } = await listener(createServer());
  const target = `tcp://127.0.0.1:${port}`;
  const counts = await Promise.all([forwarderTo(target), forwarderTo(target)].map((one) => one.sendNew()));
  const rest = await forwarderTo(target).sendNew();
  expect(counts[0]! + counts[1]! + rest).toBe(1200);
  expect(messages.map((message) => rowOf(message).Id)).toEqual(Array.from({ length: 1200 }, (_, index) => index + 1));
});

test('what could not be sent is sent when the server is back', async () => {
  await record('a', 'b');
  await expect(forwarderTo('tcp://127.0.0.1:1').sendNew()).rejects.toThrow('ECONNREFUSED');
  // A server that cuts the connection instead of reading it to the end has not accepted anything.
  let cuts = true;
  const server = createServer((socket) => (cuts ? socket.resetAndDestroy() : socket.resume()));
  const { port, stop } = await listen(server);
  cleanups.push(stop);
  const forwarder = forwarderTo(`tcp://127.0.0.1:${port}`);
  await record(...Array.from({ length: 400 }, (_, index) => `role ${index}`));
  await expect(forwarder.sendNew()).rejects.toThrow();
  cuts = false;
  expect(await forwarder.sendNew()).toBe(402);
});

test('TLS takes the certificate of the right name and authority alone', async () => {
  const authority = await makeCertificate('Test authority', { isAuthority: true });
  const { key, certificate } = await makeServerCertificate(authority);
  const { port, messages } = await listener(createTlsServer({ key, cert: certificate }));
  await record('over TLS');
  await expect(forwarderTo(`tls://localhost:${port}`).sendNew()).rejects.toThrow();
  await expect(forwarderTo(`tls://127.0.0.1:${port}`, authority.certificate).sendNew()).rejects.toThrow();
  expect(messages).toEqual([]);
  expect(await forwarderTo(`tls://localhost:${port}`, authority.certificate).sendNew()).toBe(1);
  expect(messages.map((message) => rowOf(message).TargetRole)).toEqual(['over TLS']);
});

test('UDP carries one action in each datagram', async () => {
  const socket = createSocket('udp4');
  cleanups.push(() => socket.close());
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const received: string[] = [];
  const all = new Promise<void>((resolve) => {
    socket.on('message', (bytes) => {
      received.push(bytes.toString());
      if (received.length === 2) resolve();
    });
  });
  await record('one', 'two');
  expect(await forwarderTo(`udp://127.0.0.1:${socket.address().port}`).sendNew()).toBe(2);
  await all;
  expect(received.map((message) => rowOf(message).TargetRole).sort()).toEqual(['one', 'two']);
});

test('it sends what is recorded automatically, until it is stopped', async () => {
  const { port, messages } = await listener(createServer());
  const forwarder = forwarderTo(`tcp://127.0.0.1:${port}`);
  await record('before');
  forwarder.start();
  await expect.poll(() => messages.length).toBe(1);
  await record('meanwhile');
  await expect.poll(() => messages.length).toBe(2);
  await forwarder.stop();
});

test.each([
  ['udp://siem', { kind: 'udp', host: 'siem', port: 514 }],
  ['tcp://[::1]:1601', { kind: 'tcp', host: '::1', port: 1601 }],
  ['tls://siem.example.org', { kind: 'tls', host: 'siem.example.org', port: 6514 }],
])('%s is an address', (text, address) => {
  expect(readSyslogAddress(text)).toEqual(address);
  expect(loadConfig({ RUNSHEET_SECURITY_LOG_URL: text }).securityLogUrl).toBe(text);
});

test.each(['http://siem', 'tls://user:secret@siem', 'tcp://', 'udp://siem/path', 'siem:514'])(
  '%s is invalid',
  (text) => {
    expect(() => loadConfig({ RUNSHEET_SECURITY_LOG_URL: text })).toThrow('RUNSHEET_SECURITY_LOG_URL');
  },
);
