import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { publicAccess } from '#shared/contract/endpoint.ts';
import { declareAccessOfPlugin } from './access.ts';

const DOCS_PATH = '/api/docs';

/** Swagger UI has no inline script, but sets styles inline. Its own policy would also redirect browsers to https. */
const DOCS_CSP =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; " +
  "base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/** Describes the API from the same schemas with which the routes validate. Register it before the routes. */
export async function describeApi(app: FastifyInstance, about: { version: string; basePath: string }): Promise<void> {
  await app.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Runsheet',
        version: about.version,
        description: 'The calls of the portal. Answers carry `result`, refusals `message` and, by field, `modelState`.',
      },
      servers: [{ url: about.basePath.replace(/\/$/, '') || '/' }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
  });
  await app.register(async (scope) => {
    declareAccessOfPlugin(scope, publicAccess);
    await scope.register(swaggerUi, {
      routePrefix: DOCS_PATH,
      indexPrefix: about.basePath.replace(/\/$/, ''),
      staticCSP: DOCS_CSP,
      uiConfig: { deepLinking: true, docExpansion: 'none' },
    });
  });
}
