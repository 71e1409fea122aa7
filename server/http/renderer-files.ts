import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicAccess } from '#shared/contract/endpoint.ts';
import { PAGE_SETTINGS_META } from '#shared/contract/page-settings-meta.ts';
import { declareAccessOfPlugin } from './access.ts';
import { isApi } from './answer-headers.ts';
import { serveExcelPane } from './excel-pane.ts';

const POLICY = 'content-security-policy';

export interface RendererFiles {
  /** The folder the renderer was built into. */
  folder: string;
  /** Where the portal lies on its host, as the browser sees it; begins and ends with '/'. */
  basePath: string;
  /** Written into the page as JSON; its title becomes that of the page. */
  settings: { title: string };
}

/**
 * Serves the built renderer. Its assets have their content's hash in their names and never change; its page does, and is sent
 * for every path that is no file, because the renderer has its own router. Both are looked for at each call, so that a renderer
 * that was built anew under a running server is served whole.
 */
export async function serveRenderer(
  app: FastifyInstance,
  { folder, basePath, settings }: RendererFiles,
): Promise<void> {
  const pages: Pages = {
    portal: createPage(join(folder, PORTAL_PAGE), basePath, settings),
    visitors: createPage(join(folder, VISITORS_PAGE), basePath, settings),
  };
  if ((await pages.portal()) !== null) {
    await serveFiles(app, folder, pages);
    const pane = createPage(join(folder, 'excel', PORTAL_PAGE), `${basePath}excel/`, settings);
    await serveExcelPane(app, join(folder, 'excel'), pane);
  }
  app.setNotFoundHandler(async (request, reply) => {
    const html = wantsPage(request) ? await pageFor(request, pages) : null;
    if (html === null) return sendNotFound(request, reply);
    // The window of an add-in goes on speaking with the one that opened it: see docs/security.md.
    if (isAddInDialog(request)) reply.raw.removeHeader('cross-origin-opener-policy');
    return sendPage(reply, html);
  });
}

async function serveFiles(app: FastifyInstance, folder: string, pages: Pages): Promise<void> {
  const assets = join(folder, 'assets');
  await app.register(async (scope) => {
    declareAccessOfPlugin(scope, publicAccess);
    await scope.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      cacheControl: false,
      globIgnore: [PORTAL_PAGE, VISITORS_PAGE, 'assets/**', 'excel/**'],
      setHeaders: (reply: FastifyReply) => void reply.header('cache-control', 'no-cache'),
    });
    if (existsSync(assets)) {
      await scope.register(fastifyStatic, {
        root: assets,
        prefix: '/assets/',
        decorateReply: false,
        index: false,
        dotfiles: 'ignore',
        cacheControl: false,
        // As the build has left them beside each file.
        preCompressed: true,
        setHeaders: (reply: FastifyReply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
      });
    }
    for (const [name, page] of [
      [PORTAL_PAGE, pages.portal],
      [VISITORS_PAGE, pages.visitors],
    ] as const) {
      scope.get(`/${name}`, async (request, reply) => {
        const html = await page();
        return html === null ? sendNotFound(request, reply) : sendPage(reply, html);
      });
    }
  });
}

/** Once the page's own base is known, no other one may take its place. */
const NO_OTHER_BASE = `<meta http-equiv="Content-Security-Policy" content="base-uri 'none'" />`;

const PORTAL_PAGE = 'index.html';
/** Of those who fill in a form by its public link: it carries neither the router nor the other pages. */
const VISITORS_PAGE = 'public.html';

type Page = () => Promise<string | null>;

interface Pages {
  portal: Page;
  visitors: Page;
}

const VISITORS_PATH = /^\/public\/activities\/run\/[^/]+\/?$/;

/** The visitors' page where it is asked for; a renderer that has none shows it in the portal's. */
async function pageFor({ url }: FastifyRequest, { portal, visitors }: Pages): Promise<string | null> {
  const [path = ''] = url.split('?');
  return (VISITORS_PATH.test(path) ? await visitors() : null) ?? portal();
}

/** The page as it is now. While a build replaces it, the one before; null where there never was one. */
function createPage(file: string, basePath: string, settings: RendererFiles['settings']): Page {
  const base = `<base href="${basePath}" />${NO_OTHER_BASE}`;
  const complete = (html: string): string => withSettings(withBase(html, base), settings);
  let read: { time: number; html: string } | null = null;
  return async () => {
    try {
      const { mtimeMs: time } = await stat(file);
      if (read?.time !== time) read = { time, html: complete(await readFile(file, 'utf8')) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return read?.html ?? null;
  };
}

function withBase(html: string, base: string): string {
  return /<base\b[^>]*>/i.test(html)
    ? html.replace(/<base\b[^>]*>/i, base)
    : html.replace(/<head\b[^>]*>/i, (head) => head + base);
}

function withSettings(html: string, settings: RendererFiles['settings']): string {
  const meta = `<meta name="${PAGE_SETTINGS_META}" content="${escapeHtml(JSON.stringify(settings))}" />`;
  return html.replace(/<title>[^<]*<\/title>/i, () => `<title>${escapeHtml(settings.title)}</title>${meta}`);
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The start page, where somebody signs in on it for an add-in's own window. */
function isAddInDialog({ url, query }: FastifyRequest): boolean {
  const { c, dialog } = query as Record<string, unknown>;
  return url.startsWith('/?') && typeof c === 'string' && dialog === '1';
}

/** An asset of an older build may be missing today and back tomorrow. */
function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isApi(request.url)) void reply.header('cache-control', 'no-cache');
  return reply.status(404).send({ message: 'Not found' });
}

/** Of all answers the page alone has a base element, of this origin; the policy in the page itself allows none after it. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const policy = String(reply.getHeader(POLICY) ?? '').replace("base-uri 'none'", "base-uri 'self'");
  return reply.header(POLICY, policy).type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
}

/** A path with an extension is a file that is missing, not a page of the renderer. */
function wantsPage(request: FastifyRequest): boolean {
  const [path = ''] = request.url.split('?');
  return request.method === 'GET' && !isApi(request.url) && !/\/assets\/|\.[a-z0-9]{1,5}$/i.test(path);
}
