import type { FastifyInstance } from 'fastify';
import { listPluginPages, pluginPage } from '#shared/contract/settings.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { PluginsService } from './plugins-service.ts';

export function registerPluginsRoutes(app: FastifyInstance, plugins: PluginsService): void {
  registerEndpoint(app, listPluginPages, async ({ person }) => ({ Items: await plugins.list(person) }));
  registerEndpoint(app, pluginPage, ({ person, params }) => plugins.find(person, params.name));
}
