import type { FastifyInstance } from 'fastify';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ApprovalsService } from '#server/features/approvals/approvals-service.ts';
import type { Core } from '#server/features/core.ts';
import { createPluginsService } from '#server/features/plugins/plugins-service.ts';
import { registerSeeAsRoutes } from './see-as-routes.ts';
import { createSeeAsService } from './see-as-service.ts';

export const seeAsModule = {
  register: (
    http: FastifyInstance,
    parts: Core & { activities: ActivitiesService; approvals: ApprovalsService },
  ): void => {
    const { config, rights, sharingAccess: sharing } = parts;
    const plugins = createPluginsService(config.pluginPages, rights);
    const hasTrustedNetworks = config.trustedNetworks.length > 0;
    registerSeeAsRoutes(http, createSeeAsService({ ...parts, sharing, plugins, hasTrustedNetworks }));
  },
};
