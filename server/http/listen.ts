import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartError } from '#server/base/start-error.ts';

interface Listening {
  http: FastifyInstance;
}

interface ListenSettings {
  host: string;
  port: number;
  basePath: string;
}

/** A stop cuts off calls that are still in progress after this many milliseconds. */
export const CALL_GRACE_MS = 3_000;

/** Returns the address for people. Throws a StartError if the port or host is not available. */
export async function listen({ http }: Listening, { host, port, basePath }: ListenSettings): Promise<string> {
  try {
    await http.listen({ host, port });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartError(`port ${port} is in use: set RUNSHEET_PORT to another port`, { cause });
    if (code === 'EACCES')
      throw new StartError(`this user may not use port ${port}: set RUNSHEET_PORT to another port`, { cause });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`RUNSHEET_HOST ${host} is not an address of this machine`, { cause });
    }
    throw cause;
  }
  const [bound] = http.addresses() as AddressInfo[];
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${bound?.port ?? port}${basePath === '/' ? '' : basePath}`;
}

export async function closeHttp({ http }: Listening): Promise<void> {
  const cutOff = setTimeout(() => http.server.closeAllConnections(), CALL_GRACE_MS);
  try {
    await http.close();
  } finally {
    clearTimeout(cutOff);
  }
}
