/** Sends messages to a syslog server. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6, connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SyslogAddress } from '#server/config/security-log-settings.ts';
import { framed } from './syslog-message.ts';

/**
 * Resolves when the server has accepted the messages; over UDP, when they have been sent. Rejects if the server is not
 * reachable.
 */
export type SyslogSender = (messages: readonly string[]) => Promise<void>;

/** Milliseconds without a response from the server. */
const SILENCE = 5_000;

/** @param ca PEM; defaults to the certificate authorities of Node.js */
export function createSyslogSender(address: SyslogAddress, ca?: string): SyslogSender {
  return address.kind === 'udp'
    ? (messages) => sendDatagrams(address, messages)
    : (messages) => sendByConnection(open(address, ca), messages);
}

async function sendDatagrams({ host, port }: SyslogAddress, messages: readonly string[]): Promise<void> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    for (const message of messages) {
      await new Promise<void>((resolve, reject) => {
        socket.send(message, port, host, (error) => (error ? reject(error) : resolve()));
      });
    }
  } finally {
    socket.close();
  }
}

function open({ kind, host, port }: SyslogAddress, ca: string | undefined): Socket {
  if (kind === 'tcp') return connectPlain({ host, port });
  const options = { host, port, servername: isIPv6(host) || /^[\d.]+$/.test(host) ? '' : host };
  return connectTls({
    ...options,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
}

/**
 * Uses one connection per batch, which the server closes after reading all of it. Syslog has no acknowledgements, and
 * what was written to a broken connection may never have arrived.
 */
async function sendByConnection(socket: Socket, messages: readonly string[]): Promise<void> {
  socket.setTimeout(SILENCE, () => socket.destroy(new Error('the syslog server does not answer')));
  // No data is expected, but unread data would hide the end of the connection.
  socket.resume();
  try {
    const closed = once(socket, 'close');
    socket.end(messages.map(framed).join(''));
    await closed;
  } finally {
    socket.destroy();
  }
}
