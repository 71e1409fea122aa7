import type { FastifyInstance } from 'fastify';
import { createAlertNotices } from '#server/features/alerts/alert-notices-service.ts';
import type { AlertAudience } from '#server/features/alerts/alerts-module.ts';
import { createNotificationChoices } from '#server/features/alerts/notification-choices-service.ts';
import { createApprovalNotices } from '#server/features/approvals/approval-notices-service.ts';
import type { Core } from '#server/features/core.ts';
import type { AccessNotices } from '#server/features/sharing/access-notices-service.ts';
import { createChecklistNotices } from './checklist-notices.ts';
import { registerNotificationRoutes } from './notifications-routes.ts';
import { createNotificationsService, type NotificationsService } from './notifications-service.ts';
import { createListSucceeded } from './succeeded-runs.ts';

export interface Needs extends Core {
  alertAudience: AlertAudience;
  accessNotices: AccessNotices;
}

export const notificationsModule = {
  create: ({ database, timeZone, access, checklistAccess, alertAudience, accessNotices }: Needs) => ({
    notifications: createNotificationsService(database, access, {
      approvals: createApprovalNotices(database),
      checklists: createChecklistNotices(database, checklistAccess),
      alerts: createAlertNotices(database, alertAudience),
      accessNotices,
      succeeded: createListSucceeded(database, checklistAccess),
      choices: createNotificationChoices(database, { timeZone }),
    }),
  }),
  register: (http: FastifyInstance, { notifications }: { notifications: NotificationsService }): void =>
    registerNotificationRoutes(http, notifications),
};
