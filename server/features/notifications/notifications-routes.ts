import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/notifications.ts';
import type { NotificationsService } from './notifications-service.ts';

export function registerNotificationRoutes(app: FastifyInstance, notifications: NotificationsService): void {
  registerEndpoint(app, contract.notifications, ({ person, query }) =>
    notifications.list(person, query.Before ?? null),
  );
  registerEndpoint(app, contract.succeededRuns, ({ person, query }) =>
    notifications.succeeded(person, query.Since === undefined ? null : new Date(query.Since)),
  );
  registerEndpoint(app, contract.readNotifications, async ({ person, body }) => {
    await notifications.read(person, body);
    return null;
  });
  registerEndpoint(app, contract.clearNotifications, async ({ person, body }) => {
    await notifications.clear(person, body);
    return null;
  });
  for (const endpoint of [contract.dismissNotification, contract.dismissNotificationByGet]) {
    registerEndpoint(app, endpoint, async ({ person, params }) => {
      await notifications.dismiss(person, params.activityRunId, params.logEntryId);
      return null;
    });
  }
  registerEndpoint(app, contract.dismissSucceededGroup, async ({ person, body }) => {
    await notifications.dismissSucceeded(person, body.ActivityId, body.UpTo);
    return null;
  });
  registerEndpoint(app, contract.dismissChecklistNotification, async ({ person, params }) => {
    await notifications.dismissChecklist(person, params.runId);
    return null;
  });
}
