import type { FastifyInstance } from 'fastify';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { Core } from '#server/features/core.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import { createLinkedActivityService } from './linked-activity-service.ts';
import { createLinkedForms } from './linked-forms-service.ts';
import { createLinkedStartService } from './linked-start-service.ts';
import { registerLinksRoutes } from './links-routes.ts';
import { createLinksService, type LinksService } from './links-service.ts';

export interface RouteNeeds extends Core {
  links: LinksService;
  activities: ActivitiesService;
  starts: StartService;
}

export const linksModule = {
  create: (core: Core) => {
    const links = createLinksService(core);
    return { links, linkedForm: createLinkedForms(core.database, links, core.runAccess) };
  },
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { links, activities } = parts;
    registerLinksRoutes(http, {
      links,
      linkedActivities: createLinkedActivityService(links, activities),
      linkedStarts: createLinkedStartService(parts),
    });
  },
};
