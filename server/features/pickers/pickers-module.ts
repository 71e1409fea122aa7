import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { Core } from '#server/features/core.ts';
import type { LinkedForms } from '#server/features/links/linked-forms-service.ts';
import { createPickersService } from './pickers-service.ts';

export const pickersModule = {
  create: (core: Core & { activities: ActivitiesService; linkedForm: LinkedForms }) => ({
    pickers: createPickersService(core),
  }),
};
