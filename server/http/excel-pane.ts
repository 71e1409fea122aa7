/**
 * The task pane of the Excel add-in: the only page that loads a third-party script, and that other sites may show in a
 * frame.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { publicAccess } from '#shared/contract/endpoint.ts';
import { declareAccessOfPlugin } from './access.ts';

/**
 * Office.js must come from Microsoft's own address, and loads the part for each Excel from there. Older versions of
 * Excel load a library from a second address. Source: learn.microsoft.com, "Reference the Office JavaScript API
 * library", and the script itself.
 */
const OFFICE_SCRIPTS = 'https://appsforoffice.microsoft.com https://ajax.aspnetcdn.com/ajax/3.5/MicrosoftAjax.js';

/**
 * The pages in which Excel on the web shows add-ins, and the pages around them. Source: the same, and reports of what
 * browsers reject without them.
 */
const OFFICE_PAGES = [
  'https://*.officeapps.live.com',
  'https://*.cloud.microsoft',
  'https://*.office.com',
  'https://*.sharepoint.com',
  'https://onedrive.live.com',
  'https://*.microsoft365.com',
].join(' ');

const PANE_POLICY = [
  "default-src 'none'",
  `script-src 'self' ${OFFICE_SCRIPTS}`,
  "script-src-attr 'none'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' https://appsforoffice.microsoft.com",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  `frame-ancestors ${OFFICE_PAGES}`,
].join('; ');

const ICON = /^icon-\d+\.png$/;

/** @param folder folder of the built pane; nothing is served if it does not exist */
export async function serveExcelPane(
  app: FastifyInstance,
  folder: string,
  page: () => Promise<string | null>,
): Promise<void> {
  if (!existsSync(join(folder, 'assets'))) return;
  await app.register(async (scope) => {
    declareAccessOfPlugin(scope, publicAccess);
    scope.get('/excel/', async (_request, reply) => {
      const html = await page();
      if (html === null) return reply.status(404).send({ message: 'Not found' });
      // The policy says which pages may show it; the older header supports no list. The window that Excel opens for the
      // sign-in sends messages to the pane.
      for (const header of ['x-frame-options', 'cross-origin-opener-policy']) reply.raw.removeHeader(header);
      return reply
        .header('content-security-policy', PANE_POLICY)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(html);
    });
    await scope.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/excel/assets/',
      decorateReply: false,
      index: false,
      dotfiles: 'ignore',
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply: FastifyReply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
    });
    await scope.register(fastifyStatic, {
      root: folder,
      prefix: '/excel/',
      decorateReply: false,
      index: false,
      cacheControl: false,
      allowedPath: (path) => ICON.test(path.replace(/^\//, '')),
      setHeaders: (reply: FastifyReply) =>
        // Excel on the web shows these files in its own pages.
        void reply.headers({ 'cache-control': 'no-cache', 'cross-origin-resource-policy': 'cross-origin' }),
    });
  });
}
