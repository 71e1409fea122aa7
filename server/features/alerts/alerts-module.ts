import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { DeliveryEngine } from '#server/automation/deliveries/delivery-engine.ts';
import { createApprovalNotices } from '#server/features/approvals/approval-notices-service.ts';
import type { Core } from '#server/features/core.ts';
import { createWorkflowApprovers } from '#server/features/workflows/workflow-approvers-service.ts';
import { createAlertAudience, type AlertAudience } from './alert-audience.ts';
import { createUsual } from './alert-conditions.ts';
import { createAlertFiringsService, type AlertOf } from './alert-firings-service.ts';
import type { NotifyDeps } from './alert-notify.ts';
import { createChannelSender, createMailDelivery } from './alert-senders.ts';
import { createAlertOverviewService } from './alert-overview-service.ts';
import { createAlertRulesService } from './alert-rules-service.ts';
import { createAlertWatch } from './alert-watch.ts';
import { createAlertWebhooks, type AlertWebhooks } from './alert-webhooks.ts';
import { registerAlertsRoutes } from './alerts-routes.ts';
import { createAlertsService } from './alerts-service.ts';
import { deleteOldFirings } from './clean-firings.ts';
import { createNotificationChoices } from './notification-choices-service.ts';
import { createNotificationSettingsService } from './notification-settings-service.ts';

export type { AlertAudience } from './alert-audience.ts';

export interface Alerting {
  alertAudience: AlertAudience;
  alertWebhooks: AlertWebhooks;
}

export const alertsModule = {
  create: (core: Core) => {
    const { config, database, secretKey, mail } = core;
    const alerting: Alerting = {
      alertAudience: createAlertAudience(core),
      alertWebhooks: createAlertWebhooks(secretKey),
    };
    const channel = createChannelSender(alerting.alertWebhooks, config.webhookPrivateAddresses);
    const waiting = createApprovalNotices(database);
    const countApprovals = async (UserId: number): Promise<number> =>
      (await waiting({ UserId } as Person)).items.filter(({ IsWaiting }) => IsWaiting).length;
    return {
      ...alerting,
      /** Sends what alerts cause, by the channel of a delivery. */
      alertChannels: { Teams: channel, Slack: channel, Mail: createMailDelivery(database, mail) },
      /** Deletes firings of rules that nobody needs any more. */
      deleteOldFirings: (signal: AbortSignal): Promise<void> => deleteOldFirings(database, signal),
      /** Polls once for alerts that must fire. */
      watchAlerts: createAlertWatch({
        ...core,
        ...notifyDeps({ ...core, ...alerting }),
        database,
        access: core.checklistAccess,
        usual: createUsual(),
        countApprovals,
      }),
    };
  },
  register: (http: FastifyInstance, parts: Core & Alerting & { deliveries: DeliveryEngine }): void => {
    const { config, database, mail, timeZone, deliveries, alertAudience, checklistAccess } = parts;
    const managing = {
      ...parts,
      ...notifyDeps(parts),
      database,
      workflowApprovers: createWorkflowApprovers(database),
      allowed: config.webhookPrivateAddresses,
      kick: () => deliveries.kick(),
    };
    registerAlertsRoutes(http, {
      alerts: createAlertsService(managing),
      alertRules: createAlertRulesService(managing),
      alertOverview: createAlertOverviewService(database, checklistAccess),
      notificationChoices: createNotificationChoices(database, { timeZone }),
      firings: createAlertFiringsService({ database, audience: alertAudience, mayEdit: mayEditAlert(parts) }),
      notificationSettings: createNotificationSettingsService(database, { timeZone, canMail: mail.isConfigured }),
    });
  },
};

function notifyDeps(parts: Core & Alerting): NotifyDeps {
  const { config, database, timeZone, address, mail, alertAudience, alertWebhooks } = parts;
  const { title } = config;
  return {
    database,
    audience: alertAudience,
    webhooks: alertWebhooks,
    title,
    address,
    canMail: mail.isConfigured,
    timeZone,
  };
}

const mayEditAlert =
  ({ database: { knex }, access, checklistAccess }: Pick<Core, 'database' | 'access' | 'checklistAccess'>) =>
  async (person: Person, { ActivityId, ChecklistId, Scope, UserId }: AlertOf): Promise<boolean> => {
    if (Scope !== null) return UserId === person.UserId;
    try {
      if (ActivityId === null) await checklistAccess.requireEdit(knex, person, ChecklistId ?? 0);
      else await access.requireEdit(knex, person, ActivityId);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  };
