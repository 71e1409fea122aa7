import type { FastifyInstance } from 'fastify';
import { createChecklistList } from '#server/features/checklists/checklist-list-service.ts';
import type { Core } from '#server/features/core.ts';
import type { LinksService } from '#server/features/links/links-service.ts';
import type { PickersService } from '#server/features/pickers/pickers-service.ts';
import { readRetention } from '#server/features/retention/retention-service.ts';
import { readSchedule } from '#server/features/schedules/schedules-service.ts';
import { registerActivitiesRoutes } from './activities-routes.ts';
import { createActivitiesService, type ActivitiesService } from './activities-service.ts';
import { activityKeyValues } from './activity-key-values.ts';

export const activitiesModule = {
  create: (core: Core & { links: LinksService }) => {
    const { database, checklistAccess } = core;
    const plans = {
      schedule: (id: number) => readSchedule(database, id),
      retention: (id: number) => readRetention(database, id),
    };
    const listed = createChecklistList(database, checklistAccess);
    return {
      activities: createActivitiesService({
        ...core,
        plans,
        checklists: (person, activities) => listed.of(person, activities),
      }),
      activityKeys: activityKeyValues(database),
    };
  },
  register: (http: FastifyInstance, parts: { activities: ActivitiesService; pickers: PickersService }): void =>
    registerActivitiesRoutes(http, parts),
};
