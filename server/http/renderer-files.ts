import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicAccess } from '#shared/contract/endpoint.ts';
import { declareAccessOfPlugin } from './access.ts';
import { isApi } from './answer-headers.ts';

export interface RendererFiles {
  /** The folder the renderer was built into. */
  folder: string;
  /** Where the portal lies on its host, as the browser sees it; begins and ends with '/'. */
  basePath: string;
}

/**
 * Serves the built renderer. Its assets have their content's hash in their names and never change; its page does, and is sent
 * for every path that is no file, because the renderer has its own router.
 */
export async function serveRenderer(app: FastifyInstance, { folder, basePath }: RendererFiles): Promise<void> {
  const page = await readPage(folder, basePath);
  if (page !== null) {
    await app.register(async (scope) => {
      declareAccessOfPlugin(scope, publicAccess);
      await scope.register(fastifyStatic, {
        root: folder,
        wildcard: false,
        index: false,
        cacheControl: false,
        globIgnore: ['index.html'],
        setHeaders: cacheFor(folder),
      });
      scope.get('/index.html', async (_request, reply) => sendPage(reply, page));
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (page !== null && wantsPage(request)) return sendPage(reply, page);
    return reply.status(404).send({ message: 'Not found' });
  });
}

async function readPage(folder: string, basePath: string): Promise<string | null> {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return null;
  const html = await readFile(file, 'utf8');
  const base = `<base href="${basePath}" />`;
  return /<base\b[^>]*>/i.test(html)
    ? html.replace(/<base\b[^>]*>/i, base)
    : html.replace(/<head\b[^>]*>/i, (head) => head + base);
}

function cacheFor(folder: string) {
  const assets = join(folder, 'assets');
  return (reply: FastifyReply, path: string): void => {
    void reply.header('cache-control', path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache');
  };
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
}

/** A path with an extension is a file that is missing, not a page of the renderer. */
function wantsPage(request: FastifyRequest): boolean {
  const [path = ''] = request.url.split('?');
  return request.method === 'GET' && !isApi(request.url) && !/\/assets\/|\.[a-z0-9]{1,5}$/i.test(path);
}
