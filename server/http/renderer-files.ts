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
  const page = createPage(folder, basePath, settings);
  if ((await page()) !== null) {
    await serveFiles(app, folder, page);
    await serveExcelPane(app, join(folder, 'excel'), createPage(join(folder, 'excel'), `${basePath}excel/`, settings));
  }
  app.setNotFoundHandler(async (request, reply) => {
    const html = wantsPage(request) ? await page() : null;
    if (html === null) return sendNotFound(request, reply);
    // The window of an add-in goes on speaking with the one that opened it: see docs/security.md.
    if (isAddInDialog(request)) reply.raw.removeHeader('cross-origin-opener-policy');
    return sendPage(reply, html);
  });
}

async function serveFiles(app: FastifyInstance, folder: string, page: Page): Promise<void> {
  const assets = join(folder, 'assets');
  await app.register(async (scope) => {
    declareAccessOfPlugin(scope, publicAccess);
    await scope.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      cacheControl: false,
      globIgnore: ['index.html', 'assets/**', 'excel/**'],
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
    scope.get('/index.html', async (request, reply) => {
      const html = await page();
      return html === null ? sendNotFound(request, reply) : sendPage(reply, html);
    });
  });
}

/** Once the page's own base is known, no other one may take its place. */
const NO_OTHER_BASE = `<meta http-equiv="Content-Security-Policy" content="base-uri 'none'" />`;

type Page = () => Promise<string | null>;

/** The page as it is now. While a build replaces it, the one before; null where there never was one. */
function createPage(folder: string, basePath: string, settings: RendererFiles['settings']): Page {
  const file = join(folder, 'index.html');
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

/** A start page that somebody signs in on for an add-in's own window. */
function isAddInDialog({ query }: FastifyRequest): boolean {
  const { c, dialog } = query as Record<string, unknown>;
  return typeof c === 'string' && dialog === '1';
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
