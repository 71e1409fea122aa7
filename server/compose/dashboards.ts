/** Composes dashboards. */
import { createDashboardAccess } from '#server/features/dashboards/dashboard-access.ts';
import { createDashboardSharingService } from '#server/features/dashboards/dashboard-sharing-service.ts';
import type { DashboardParts } from '#server/features/dashboards/dashboards-routes.ts';
import { createDashboardsService } from '#server/features/dashboards/dashboards-service.ts';
import { createTileData } from '#server/features/dashboards/tile-data.ts';
import { createTileSources } from '#server/features/dashboards/tile-sources.ts';
import { createPublicVisitor } from '#server/access/public-visitor.ts';
import type { ActivityParts } from './activity-parts.ts';
import type { ChecklistParts } from './checklists.ts';
import type { PortalDeps } from './portal-deps.ts';

export function createDashboardParts(
  { database, rights, users }: PortalDeps,
  { access: activityAccess, checklistAccess, versions }: ActivityParts,
  { approvals }: Pick<ChecklistParts, 'approvals'>,
): DashboardParts {
  const access = createDashboardAccess(rights);
  const sources = createTileSources({ access: activityAccess, checklistAccess });
  const tileData = createTileData({ database, sources, versions, approvals });
  const visitor = createPublicVisitor(users);
  return {
    dashboards: createDashboardsService({ database, access, activityAccess, versions, rights, tileData }),
    dashboardSharing: createDashboardSharingService({ database, access, rights, sources, tileData, visitor }),
  };
}
