/** `runsheet://app/` and `runsheet://servers/`, as the windows of one account see them. Main is the portal's origin: pages reach no other. */
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
  /** Null in a window that belongs to no account. */
  portal: {
    settings(): PageSettings;
    frameOrigins(): readonly string[];
    calls: ServerCalls;
    connectionInfo(): ConnectionInfo;
    /** For whoever signs in; '' for nothing. */
    notice(): string;
    /** Calls of its pages carry their keys in their addresses. */
    pages: Pick<OpenPages, 'leftSignal'>;
  } | null;
}

/** Answers a page's request. Rejects where the server cannot be reached, which the page sees as a lost network. */
export function createPortalProtocol(
  deps: PortalProtocolDeps,
): (request: Request, control?: CallControl) => Promise<Response> {
  return async (request, control) => {
    const { host, pathname } = new URL(request.url);
    const origin = request.headers.get('origin');
    // A frame with another program's page has no business here.
    if (origin !== null && origin !== `${SCHEME}://${host}`) return refused(403);
    if (host === 'servers') return serversFile(deps.serversFolder, request, pathname);
    if (host !== 'app' || !deps.portal) return refused(404);
    if (/^\/(api|token)(\/|$)/.test(pathname)) return asData(await answerCall(deps.portal, request, control));
    if (request.method !== 'GET') return refused(405);
    return appFile(deps.rendererFolder, pathname, deps.portal);
  };
}

/** Whatever a frame of another origin asks for ends here: the origin of who asks is known of few requests, the key of a page to it alone. */
async function answerCall(
  { calls, pages }: NonNullable<PortalProtocolDeps['portal']>,
  request: Request,
  control?: CallControl,
): Promise<Response> {
  const { url, key } = takePageKey(request.url);
  const left = pages.leftSignal(key);
  return left ? calls(request, url, { left, control }) : refused(403);
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

/** Pages without an extension, as '/choose' and '/waiting', are one file that knows its path. */
async function serversFile(folder: string, request: Request, path: string): Promise<Response> {
  if (request.method !== 'GET') return refused(405);
  const isPage = /^\/[a-z]*$/.test(path);
  const file = await readPageFile(folder, isPage ? '/index.html' : path);
  if (!file) return refused(404);
  const headers = { ...SAFE, 'content-type': file.type, 'content-security-policy': SERVERS_POLICY };
  return new Response(file.content as BodyInit, { headers: { ...headers, 'cache-control': 'no-store' } });
}
