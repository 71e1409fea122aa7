import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import { registerPluginsRoutes } from './plugins-routes.ts';
import { createPluginsService, pluginOrigins } from './plugins-service.ts';

export const pluginsModule = {
  create: ({ config }: Core) => ({
    /** Origins that pages may show in frames. */
    frameOrigins: pluginOrigins(config.pluginPages),
  }),
  register: (http: FastifyInstance, { config, rights }: Core): void =>
    registerPluginsRoutes(http, createPluginsService(config.pluginPages, rights)),
};
