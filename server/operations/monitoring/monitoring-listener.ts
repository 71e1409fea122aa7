/** The port for monitoring systems and load balancers, separate from the port for people. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Log } from '#server/base/log.ts';
import { StartError } from '#server/base/start-error.ts';

export interface MonitoringDeps {
  registry: Registry;
  /** Returns true if calls or runs may be sent here. */
  isReady: () => Promise<boolean>;
  log: Log;
}

export interface MonitoringOptions {
  host: string;
  port: number;
  /** The bearer token that /metrics requires; '' for none. */
  token: string;
}

export interface MonitoringListener {
  port: number;
  close(): Promise<void>;
}

/** Throws a StartError if the port or address is not available. */
export async function listenForMonitoring(
  deps: MonitoringDeps,
  { host, port, token }: MonitoringOptions,
): Promise<MonitoringListener> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    answer(deps, token, request, response).catch((err: unknown) => {
      deps.log.warn({ err }, 'could not read the metrics');
      send(response, 503, 'text/plain', 'not available\n');
    });
  });
  server.listen(port, host);
  await once(server, 'listening').catch((cause: unknown) => {
    throw new StartError(`RUNSHEET_METRICS_PORT ${port} of ${host} cannot be used: ${(cause as Error).message}`, {
      cause,
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { registry, isReady }: MonitoringDeps,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  if (request.method !== 'GET') return send(response, 405, 'text/plain', 'GET alone\n');
  if (path === '/live') return send(response, 200, 'text/plain', 'ok\n');
  if (path === '/ready') {
    const ready = await isReady();
    return send(response, ready ? 200 : 503, 'text/plain', ready ? 'ok\n' : 'not ready\n');
  }
  if (path !== '/metrics') return send(response, 404, 'text/plain', '/metrics, /live and /ready\n');
  if (token !== '' && !isSame(request.headers.authorization ?? '', `Bearer ${token}`))
    return send(response, 401, 'text/plain', 'a bearer token is wanted\n');
  send(response, 200, registry.contentType, await registry.metrics());
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}

/** Compares in constant time, which does not reveal where they differ. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
