import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { MailError } from './mail-error.ts';

/**
 * Opens a connection to the mail server that we can end: nodemailer alone cannot stop in the middle. Aborting the
 * signal ends it at any time. Throws a MailError 'connection', or the signal's reason.
 */
export async function openMailConnection(
  { host, port }: { host: string; port: number },
  timeout: number,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connect({ host, port, ...(isIP(host) === 0 ? { autoSelectFamily: true } : {}) });
  signal.addEventListener('abort', () => socket.destroy(signal.reason as Error), { once: true });
  // The waiting code reports errors; this listener only prevents an unhandled error.
  socket.on('error', () => {});
  const late = new AbortController();
  const clock = setTimeout(() => late.abort(), timeout);
  try {
    await once(socket, 'connect', { signal: late.signal });
    return socket;
  } catch (cause) {
    socket.destroy();
    signal.throwIfAborted();
    const reason = late.signal.aborted ? ': it does not respond in time' : '';
    throw new MailError('connection', `The mail server cannot be reached${reason}`, { cause });
  } finally {
    clearTimeout(clock);
  }
}
