import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import { actorOf } from '#server/access/actor.ts';
import { idempotencyKeyOf } from '#server/http/idempotency-key.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { alertFiring, dismissAlertNotice, seeAlertFiring } from '#shared/contract/alert-firings.ts';
import * as contract from '#shared/contract/alerts.ts';
import * as choices from '#shared/contract/notification-choices.ts';
import * as rules from '#shared/contract/alert-rules.ts';
import type { AlertFiringsService } from './alert-firings-service.ts';
import type { AlertOverviewService } from './alert-overview-service.ts';
import type { AlertRulesService } from './alert-rules-service.ts';
import type { AlertsService } from './alerts-service.ts';
import type { NotificationChoicesService } from './notification-choices-service.ts';
import type { NotificationSettingsService } from './notification-settings-service.ts';

export interface AlertParts {
  alerts: AlertsService;
  alertRules: AlertRulesService;
  alertOverview: AlertOverviewService;
  notificationChoices: NotificationChoicesService;
  firings: AlertFiringsService;
  notificationSettings: NotificationSettingsService;
}

const ofActivity = (ActivityId: number) => ({ ActivityId, ChecklistId: null });
const ofChecklist = (ChecklistId: number) => ({ ActivityId: null, ChecklistId });

export function registerAlertsRoutes(app: FastifyInstance, parts: AlertParts): void {
  const { alerts, alertRules, firings, notificationSettings, notificationChoices } = parts;
  registerRuleRoutes(app, parts);
  registerEndpoint(app, contract.activityAlerts, ({ person, params }) => alerts.list(person, ofActivity(params.id)));
  registerEndpoint(app, contract.checklistAlerts, ({ person, params }) => alerts.list(person, ofChecklist(params.id)));
  registerEndpoint(app, contract.saveActivityAlert, ({ person, request, body: { ActivityId, ...draft } }) =>
    alerts.save(person, actorOf(person, request.ip), {
      owner: ofActivity(ActivityId),
      draft,
      UniqueId: idempotencyKeyOf(request),
    }),
  );
  registerEndpoint(app, contract.saveChecklistAlert, ({ person, request, body: { ChecklistId, ...draft } }) =>
    alerts.save(person, actorOf(person, request.ip), {
      owner: ofChecklist(ChecklistId),
      draft,
      UniqueId: idempotencyKeyOf(request),
    }),
  );
  registerEndpoint(app, contract.deleteAlert, async ({ person, request, params }) => {
    const actor = actorOf(person, request.ip);
    if (!(await alertRules.delete(person, actor, params.id))) await alerts.delete(person, actor, params.id);
    return null;
  });
  registerEndpoint(app, contract.testAlert, async ({ person, params }) => {
    const rule = await alertRules.find(person, params.id);
    await (rule ? alerts.testRule(person, rule) : alerts.test(person, params.id));
    return null;
  });
  registerEndpoint(app, contract.alertPeople, ({ person, body: { ActivityId, ChecklistId, Search } }) => {
    if ((ActivityId === undefined) === (ChecklistId === undefined))
      throw new AppError('oneOwner', 400, 'Specify an activity or a checklist, not both');
    return alerts.people(person, ActivityId === undefined ? ofChecklist(ChecklistId!) : ofActivity(ActivityId), Search);
  });
  registerEndpoint(app, alertFiring, ({ person, params }) => firings.get(person, params.id));
  registerEndpoint(app, seeAlertFiring, async ({ person, params }) => {
    await firings.see(person, params.id);
    return null;
  });
  registerEndpoint(app, dismissAlertNotice, async ({ person, params }) => {
    await firings.dismiss(person, params.id);
    return null;
  });
  registerEndpoint(app, contract.notificationSettings, ({ person }) => notificationSettings.get(person));
  registerEndpoint(app, contract.saveNotificationSettings, async ({ person, body }) => {
    await notificationSettings.save(person, body);
    return null;
  });
  registerEndpoint(app, choices.notificationChoices, ({ person }) => notificationChoices.get(person));
  registerEndpoint(app, choices.saveNotificationChoices, async ({ person, body }) => {
    await notificationChoices.save(person, body);
    return null;
  });
}

function registerRuleRoutes(app: FastifyInstance, { alertRules, alertOverview }: AlertParts): void {
  registerEndpoint(app, rules.allAlerts, ({ person, query }) => alertOverview.list(person, query));
  registerEndpoint(app, rules.ruleChoices, ({ person }) => alertRules.choices(person));
  registerEndpoint(app, rules.alertRule, ({ person, params }) => alertRules.get(person, params.id));
  registerEndpoint(app, rules.saveAlertRule, ({ person, request, body }) =>
    alertRules.save(person, actorOf(person, request.ip), { draft: body, UniqueId: idempotencyKeyOf(request) }),
  );
  registerEndpoint(app, rules.ruleMatches, ({ person, body }) => alertRules.matches(person, body));
  registerEndpoint(app, rules.rulePeople, ({ person, body }) => alertRules.people(person, body.Search));
  registerEndpoint(app, rules.muteAlert, async ({ person, params, body }) => {
    await alertOverview.mute(person, params.id, body.Minutes);
    return null;
  });
  registerEndpoint(app, rules.unmuteAlert, async ({ person, params }) => {
    await alertOverview.unmute(person, params.id);
    return null;
  });
}
