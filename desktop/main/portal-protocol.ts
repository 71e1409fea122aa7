/**
 * Serves `runsheet://app/` and `runsheet://servers/` to the windows of one account. The main process is the portal's
 * origin: pages cannot access any other.
 */
import type { PageSettings } from '#shared/contract/settings.ts';
import type { ConnectionInfo } from '#bridge/messages.ts';
import { takePageKey } from '#bridge/page-key.ts';
import { readPageFile } from './page-files.ts';
import type { OpenPages } from './open-pages.ts';
import type { CallControl } from './page-call.ts';
import { portalPage, portalPolicy, SERVERS_POLICY } from './portal-page.ts';
import type { ServerCalls } from './server-calls.ts';
import { asData } from './server-data.ts';

export const SCHEME = 'runsheet';
export const APP_ORIGIN = `${SCHEME}://app`;
export const SERVERS_ORIGIN = `${SCHEME}://servers`;

export interface PortalProtocolDeps {
  /** The built renderer. */
  rendererFolder: string;
  /** The built pages of servers. */
  serversFolder: string;
  /** Null for a window without an account. */
  portal: {
    settings(): PageSettings;
    frameOrigins(): readonly string[];
    calls: ServerCalls;
    connectionInfo(): ConnectionInfo;
    /** A notice for users who sign in; '' for none. */
    notice(): string;
    /** The addresses of its pages' calls contain their keys. */
    pages: Pick<OpenPages, 'closeSignal'>;
  } | null;
}

/** Answers a page's request. Rejects if the server is unreachable, which the page sees as a network failure. */
export function createPortalProtocol(
  deps: PortalProtocolDeps,
): (request: Request, control?: CallControl) => Promise<Response> {
  return async (request, control) => {
    const { host, pathname } = new URL(request.url);
    const origin = request.headers.get('origin');
    // Refuses frames that show another program's page.
    if (origin !== null && origin !== `${SCHEME}://${host}`) return refused(403);
    if (host === 'servers') return serversFile(deps.serversFolder, request, pathname);
    if (host !== 'app' || !deps.portal) return refused(404);
    if (/^\/(api|token)(\/|$)/.test(pathname)) return asData(await answerCall(deps.portal, request, control));
    if (request.method !== 'GET') return refused(405);
    return appFile(deps.rendererFolder, pathname, deps.portal);
  };
}

/**
 * Refuses requests from frames of another origin. The origin is known for only a few requests, but only the page itself
 * knows its key.
 */
async function answerCall(
  { calls, pages }: NonNullable<PortalProtocolDeps['portal']>,
  request: Request,
  control?: CallControl,
): Promise<Response> {
  const { url, key } = takePageKey(request.url);
  const closed = pages.closeSignal(key);
  return closed ? calls(request, url, { closed, control }) : refused(403);
}

const refused = (status: number): Response => new Response(null, { status, headers: { 'cache-control': 'no-store' } });

const SAFE = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

async function appFile(
  folder: string,
  path: string,
  portal: NonNullable<PortalProtocolDeps['portal']>,
): Promise<Response> {
  const isPage = path === '/index.html' || !/\/assets\/|\.[a-z0-9]{1,5}$/i.test(path);
  const file = await readPageFile(folder, isPage ? '/index.html' : path);
  if (!file) return refused(404);
  if (!isPage) return new Response(file.content as BodyInit, { headers: { ...SAFE, 'content-type': file.type } });
  const html = portalPage(new TextDecoder().decode(file.content), {
    settings: portal.settings(),
    connection: portal.connectionInfo(),
    notice: portal.notice(),
  });
  const headers = {
    ...SAFE,
    'content-type': file.type,
    'content-security-policy': portalPolicy(portal.frameOrigins()),
  };
  return new Response(html, { headers: { ...headers, 'cache-control': 'no-store' } });
}

/** Paths without an extension, such as '/choose' and '/waiting', are served by one file that reads its path. */
async function serversFile(folder: string, request: Request, path: string): Promise<Response> {
  if (request.method !== 'GET') return refused(405);
  const isPage = /^\/[a-z]*$/.test(path);
  const file = await readPageFile(folder, isPage ? '/index.html' : path);
  if (!file) return refused(404);
  const headers = { ...SAFE, 'content-type': file.type, 'content-security-policy': SERVERS_POLICY };
  return new Response(file.content as BodyInit, { headers: { ...headers, 'cache-control': 'no-store' } });
}
