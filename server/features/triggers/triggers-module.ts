import type { FastifyInstance } from 'fastify';
import { createWebhookSecrets } from '#server/access/webhook-secrets.ts';
import { sinceCursor } from '#server/automation/deliveries/event-cursor.ts';
import type { ScheduleStarter } from '#server/automation/schedules/scheduled-runs.ts';
import type { WorkflowScheduleStarter } from '#server/automation/schedules/workflow-schedule-starter.ts';
import type { TriggerContext } from '#server/automation/triggers/trigger-context.ts';
import type { AlertAudience } from '#server/features/alerts/alerts-module.ts';
import type { Core } from '#server/features/core.ts';
import { readMaintenance } from '#server/features/system/maintenance-service.ts';
import type { ScheduleOwners } from '#server/features/additional-schedules/schedule-owners-service.ts';
import type { FindHolder } from '#server/features/users/users-module.ts';
import { contentIssue } from '#server/files/file-content.ts';
import { createInboundCalls } from './inbound-calls.ts';
import { createTriggerOverview } from './trigger-overview.ts';
import { createTriggerSources } from './trigger-sources.ts';
import { registerTriggerRoutes } from './triggers-routes.ts';
import { createTriggersService } from './triggers-service.ts';

export interface Needs extends Core {
  alertAudience: AlertAudience;
  findHolder: FindHolder;
  scheduleStarter: ScheduleStarter;
  workflowScheduleStarter: WorkflowScheduleStarter;
}

export interface RouteNeeds extends Core {
  triggerContext: TriggerContext;
  activityOwners: ScheduleOwners;
  checklistOwners: ScheduleOwners;
}

export const triggersModule = {
  create: (core: Needs) => ({
    /** For the engine that polls for the events of triggers. */
    triggerContext: triggerContextOf(core),
  }),
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { database, access, checklistAccess, connections, timeZone, triggerContext: context } = parts;
    const secrets = createWebhookSecrets(parts.secretKey);
    const sources = createTriggerSources(database, access, checklistAccess, connections);
    const maintenance = () => readMaintenance(database);
    const shared = { database, context, sources, secrets, serverZone: timeZone, maintenance };
    registerTriggerRoutes(http, {
      activityTriggers: createTriggersService({ ...shared, owners: parts.activityOwners }),
      checklistTriggers: createTriggersService({ ...shared, owners: parts.checklistOwners }),
      triggerOverview: createTriggerOverview(database, checklistAccess),
      inboundCalls: createInboundCalls({ ...parts, context, secrets }),
    });
  },
};

function triggerContextOf(core: Needs): TriggerContext {
  const { database, log, folders, fileStore, connections, findHolder, alertAudience } = core;
  return {
    database,
    log,
    starter: core.scheduleStarter,
    workflowStarter: core.workflowScheduleStarter,
    folders,
    fileStore,
    connections,
    findHolder,
    maySee: (db, holder, { UserId, ...of }) =>
      alertAudience.mayLearn(db, holder, { ...of, starterId: UserId, isOfRun: true }),
    contentIssue: (fileName, head) => contentIssue(fileName, Buffer.from(head)),
    sinceLastPoll: (work) => sinceCursor(database, 'triggers', work),
  };
}
