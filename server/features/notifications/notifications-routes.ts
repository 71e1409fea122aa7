import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/notifications.ts';
import type { NotificationsService } from './notifications-service.ts';

export function registerNotificationRoutes(app: FastifyInstance, notifications: NotificationsService): void {
  registerEndpoint(app, contract.notifications, ({ person, query }) =>
    notifications.list(person, query.Before ?? null),
  );
  for (const endpoint of [contract.dismissNotification, contract.dismissNotificationByGet]) {
    registerEndpoint(app, endpoint, async ({ person, params }) => {
      await notifications.dismiss(person, params.activityRunId, params.logEntryId);
      return null;
    });
  }
}
