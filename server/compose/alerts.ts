/** Composes alerts. */
import type { Person } from '#server/base/person.ts';
import { AppError } from '#server/base/app-error.ts';
import { publicAddress } from '#server/config/public-address.ts';
import { createApprovalNotices } from '#server/features/approvals/approval-notices-service.ts';
import { createAlertAudience } from '#server/features/alerts/alert-audience.ts';
import { createUsual } from '#server/features/alerts/alert-conditions.ts';
import { createAlertFiringsService, type AlertOf } from '#server/features/alerts/alert-firings-service.ts';
import { createAlertWatch } from '#server/features/alerts/alert-watch.ts';
import { createAlertWebhooks, type AlertWebhooks } from '#server/features/alerts/alert-webhooks.ts';
import type { AlertParts } from '#server/features/alerts/alerts-routes.ts';
import { createAlertsService } from '#server/features/alerts/alerts-service.ts';
import { createAlertOverviewService } from '#server/features/alerts/alert-overview-service.ts';
import { createAlertRulesService } from '#server/features/alerts/alert-rules-service.ts';
import { createNotificationChoices } from '#server/features/alerts/notification-choices-service.ts';
import { createNotificationSettingsService } from '#server/features/alerts/notification-settings-service.ts';
import { createWorkflowApprovers } from '#server/features/workflows/workflow-approvers-service.ts';
import type { OutgoingDeps } from './outgoing-deps.ts';

export interface Alerts extends AlertParts {
  alertWebhooks: AlertWebhooks;
  /** Polls once for alerts that must fire. */
  watch(): Promise<void>;
}

export function createAlerts(deps: OutgoingDeps, kick: () => void): Alerts {
  const { config, log, database, secretKey, mail, portal } = deps;
  const { access, checklistAccess, versions } = portal;
  const { timeZone, title } = config;
  const audience = createAlertAudience(portal);
  const alertWebhooks = createAlertWebhooks(secretKey);
  const canMail = mail.isConfigured;
  const notify = {
    database,
    audience,
    webhooks: alertWebhooks,
    title,
    address: publicAddress(config),
    canMail,
    timeZone,
  };
  const waiting = createApprovalNotices(database);
  const countApprovals = async (UserId: number): Promise<number> =>
    (await waiting({ UserId } as Person)).items.filter(({ IsWaiting }) => IsWaiting).length;
  const watchDeps = { ...notify, database, versions, log, access: checklistAccess };
  const watch = createAlertWatch({ ...watchDeps, usual: createUsual(), countApprovals });
  const mayEdit = async (person: Person, { ActivityId, ChecklistId, Scope, UserId }: AlertOf): Promise<boolean> => {
    if (Scope !== null) return UserId === person.UserId;
    try {
      if (ActivityId === null) await checklistAccess.requireEdit(database.knex, person, ChecklistId ?? 0);
      else await access.requireEdit(database.knex, person, ActivityId);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  };
  const workflowApprovers = createWorkflowApprovers(database);
  const managing = {
    ...notify,
    database,
    access,
    checklistAccess,
    versions,
    workflowApprovers,
    timeZone,
    allowed: config.webhookPrivateAddresses,
    kick,
  };
  return {
    alerts: createAlertsService(managing),
    alertRules: createAlertRulesService(managing),
    alertOverview: createAlertOverviewService(database, checklistAccess),
    notificationChoices: createNotificationChoices(database, { timeZone }),
    firings: createAlertFiringsService({ database, audience, mayEdit }),
    notificationSettings: createNotificationSettingsService(database, { timeZone, canMail }),
    alertWebhooks,
    watch,
  };
}
