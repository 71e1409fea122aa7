import type { FastifyInstance } from 'fastify';
import { createPublicVisitor } from '#server/access/public-visitor.ts';
import type { ApprovalsService } from '#server/features/approvals/approvals-service.ts';
import type { Core } from '#server/features/core.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { createDashboardAccess } from './dashboard-access.ts';
import { createDashboardSharingService } from './dashboard-sharing-service.ts';
import { registerDashboardsRoutes } from './dashboards-routes.ts';
import { createDashboardsService } from './dashboards-service.ts';
import { createTileData } from './tile-data.ts';
import { createTileSources } from './tile-sources.ts';

export const dashboardsModule = {
  register: (http: FastifyInstance, parts: Core & { approvals: ApprovalsService; users: UsersService }): void => {
    const { limits, rights, users } = parts;
    const access = createDashboardAccess(rights);
    const sources = createTileSources(parts);
    const tileData = createTileData({ ...parts, sources });
    const visitor = createPublicVisitor(users);
    const services = {
      dashboards: createDashboardsService({ ...parts, access, activityAccess: parts.access, tileData }),
      dashboardSharing: createDashboardSharingService({ ...parts, access, sources, tileData, visitor }),
    };
    registerDashboardsRoutes(http, services, limits);
  },
};
