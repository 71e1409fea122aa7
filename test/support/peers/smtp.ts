/** A real mail server that stores the mails it receives. */
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import type { Peer } from './peer.ts';

/** For localhost, created only for these tests and trusted nowhere else. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJITBxfqcmNZ0rdsl
AbFwNjZohric3DotEUwvjPCDa5uhRANCAATY3c1BXDy9/k9cxdThmv4gzmwMg/zc
2wgznzSI3UWe9YFsvrMciKEPwtI2hZsGd0wzJ4GlTR7o/0/3fXG0jBkO
-----END PRIVATE KEY-----`;
export const MAIL_SERVER_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUcgL5CfwHzVDEbbaMRhZMKeKE+rUwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTExNTY0M1oYDzIxMjYxMDI4
MTE1NjQzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATY3c1BXDy9/k9cxdThmv4gzmwMg/zc2wgznzSI3UWe9YFsvrMciKEP
wtI2hZsGd0wzJ4GlTR7o/0/3fXG0jBkOo28wbTAdBgNVHQ4EFgQU0xOtKP96NmXW
J0LqwxJcCgnCHP4wHwYDVR0jBBgwFoAU0xOtKP96NmXWJ0LqwxJcCgnCHP4wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhALa4d6V8sdI6EVQKE6r7EE+g79hwDK+7mzyeUD1OsmAeAiAW
Fuh/drw3Rw1WGpTMj9wroxjNqBJ07Ulo6tuca417yA==
-----END CERTIFICATE-----`;

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The signed-in user, or ''. */
  user: string;
  isEncrypted: boolean;
  /** Headers and body as received. */
  source: string;
}

export interface SmtpPeer extends Peer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Sockets of the currently connected clients. */
  connections(): Socket[];
}

export const MAIL_USER = { name: 'runsheet', password: 'a secret of the mail server' };

/**
 * Accepts mails with STARTTLS and a sign-in, unless `options` say otherwise.
 * @param wantedPort a port used by an earlier mail server; a free one by default
 */
export async function startSmtpPeer(options: SMTPServerOptions = {}, wantedPort = 0): Promise<SmtpPeer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    key: KEY,
    cert: MAIL_SERVER_CERTIFICATE,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) => {
      if (username === MAIL_USER.name && password === MAIL_USER.password) done(null, { user: username });
      else done(new Error(`no such user ${username} ${password}`));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push({
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          to: session.envelope.rcptTo.map(({ address }) => address),
          user: session.user ?? '',
          isEncrypted: session.secure,
          source: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
    ...options,
  });
  // Errors of clients, such as disconnecting in the middle, are caused by the test on purpose.
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(wantedPort, '127.0.0.1', resolve);
  await promise;
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://localhost:${port}`,
    port,
    mails,
    connections: () => [...sockets],
    stop: () => new Promise((done) => server.close(() => done())),
  };
}
