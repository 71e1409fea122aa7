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
  /** Folder of the built renderer. */
  folder: string;
  /** Path of the portal on its host as seen by the browser; begins and ends with '/'. */
  basePath: string;
  /** Written into the page as JSON; its title becomes the title of the page. */
  settings: { title: string };
}

/**
 * Serves the built renderer. The names of assets contain the hash of their content, so assets never change. The page
 * changes, and is sent for every path that is not a file, because the renderer has its own router. Both are looked up
 * at each call, so a renderer that was rebuilt under a running server is served consistently.
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
    // The window of an add-in continues to communicate with the window that opened it: see docs/security.md.
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
        // The build leaves compressed versions next to each file.
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

/** Once the page's own base is set, no other one may replace it. */
const NO_OTHER_BASE = `<meta http-equiv="Content-Security-Policy" content="base-uri 'none'" />`;

const PORTAL_PAGE = 'index.html';
/** For people who fill in a form through its public link: it contains neither the router nor the other pages. */
const VISITORS_PAGE = 'public.html';

type Page = () => Promise<string | null>;

interface Pages {
  portal: Page;
  visitors: Page;
}

const VISITORS_PATH = /^\/public\/activities\/run\/[^/]+\/?$/;

/** Returns the visitors' page for its path. If the renderer has no such page, the portal's page is used. */
async function pageFor({ url }: FastifyRequest, { portal, visitors }: Pages): Promise<string | null> {
  const [path = ''] = url.split('?');
  return (VISITORS_PATH.test(path) ? await visitors() : null) ?? portal();
}

/** Returns the current page. While a build replaces it, returns the previous one; null if there never was one. */
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

/** Returns true for the start page in an add-in's own window, where people sign in. */
function isAddInDialog({ url, query }: FastifyRequest): boolean {
  const { c, dialog } = query as Record<string, unknown>;
  return url.startsWith('/?') && typeof c === 'string' && dialog === '1';
}

/** An asset of an older build may be missing today and exist again tomorrow. */
function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isApi(request.url)) void reply.header('cache-control', 'no-cache');
  return reply.status(404).send({ message: 'Not found' });
}

/** Only the page has a base element, with this origin; the policy within the page allows no other one after it. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const policy = String(reply.getHeader(POLICY) ?? '').replace("base-uri 'none'", "base-uri 'self'");
  return reply.header(POLICY, policy).type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
}

/** A path with an extension is a missing file, not a page of the renderer. */
function wantsPage(request: FastifyRequest): boolean {
  const [path = ''] = request.url.split('?');
  return request.method === 'GET' && !isApi(request.url) && !/\/assets\/|\.[a-z0-9]{1,5}$/i.test(path);
}
