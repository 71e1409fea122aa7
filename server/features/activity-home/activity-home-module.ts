import type { FastifyInstance } from 'fastify';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import { createChecklistsOfActivity } from '#server/features/checklists/checklists-of-activity-service.ts';
import type { Core } from '#server/features/core.ts';
import type { LinksService } from '#server/features/links/links-service.ts';
import type { HistoryService } from '#server/features/runs/history-service.ts';
import { readSchedules } from '#server/features/schedules/schedules-service.ts';
import type { VersionsService } from '#server/features/versions/versions-service.ts';
import { registerActivityHomeRoutes } from './activity-home-routes.ts';
import { createActivityHomeService } from './activity-home-service.ts';

export interface Needs extends Core {
  activities: ActivitiesService;
  history: HistoryService;
  activityVersions: VersionsService;
  links: LinksService;
}

export const activityHomeModule = {
  register: (http: FastifyInstance, parts: Needs): void => {
    const { database, checklistAccess, sharingAccess, activityVersions } = parts;
    const home = createActivityHomeService({
      ...parts,
      versions: activityVersions,
      sharing: sharingAccess,
      checklistsOf: createChecklistsOfActivity(database, checklistAccess),
      schedulesOf: (id) => readSchedules(database, id),
    });
    registerActivityHomeRoutes(http, home);
  },
};
