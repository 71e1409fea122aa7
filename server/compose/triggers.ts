/** Composes triggers. */
import type { FastifyInstance } from 'fastify';
import type { Holder } from '#server/base/person.ts';
import { sinceCursor } from '#server/automation/deliveries/event-cursor.ts';
import { createAlertAudience } from '#server/features/alerts/alert-audience.ts';
import { contentIssue } from '#server/files/file-content.ts';
import { readMaintenance } from '#server/features/system/maintenance-service.ts';
import { activityOwners, checklistOwners } from '#server/features/timetables/schedule-owners-service.ts';
import { createInboundCalls } from '#server/features/triggers/inbound-calls.ts';
import { createTriggerOverview } from '#server/features/triggers/trigger-overview.ts';
import { createTriggerSources } from '#server/features/triggers/trigger-sources.ts';
import { registerTriggerRoutes, type TriggerCalls } from '#server/features/triggers/triggers-routes.ts';
import { createTriggersService } from '#server/features/triggers/triggers-service.ts';
import { createWebhookSecrets } from '#server/access/webhook-secrets.ts';
import type { TriggerContext } from '#server/automation/triggers/trigger-context.ts';
import type { ActivityParts } from './activity-parts.ts';
import type { ChecklistParts } from './checklists.ts';
import type { PortalDeps } from './portal-deps.ts';
import type { RunParts } from './runs.ts';

export interface TriggerParts extends TriggerCalls {
  /** For the engine that polls for the events of triggers. */
  triggerContext: TriggerContext;
}

export function createTriggerParts(
  deps: PortalDeps,
  { access, activities, checklistAccess, checklists }: ActivityParts,
  { scheduleStarter }: RunParts,
  { workflowScheduleStarter }: ChecklistParts,
): TriggerParts {
  const { database, signals, timeZone: serverZone } = deps;
  const context = contextOf(deps, { access, checklistAccess }, scheduleStarter, workflowScheduleStarter);
  const secrets = createWebhookSecrets(deps.secretKey);
  const sources = createTriggerSources(database, access, checklistAccess, deps.connections);
  const maintenance = () => readMaintenance(database);
  const shared = { database, context, sources, secrets, serverZone, maintenance };
  return {
    triggerContext: context,
    activityTriggers: createTriggersService({
      ...shared,
      owners: activityOwners(database, access, activities, scheduleStarter),
    }),
    checklistTriggers: createTriggersService({
      ...shared,
      owners: checklistOwners(database, checklistAccess, checklists, workflowScheduleStarter),
    }),
    triggerOverview: createTriggerOverview(database, checklistAccess),
    inboundCalls: createInboundCalls({ database, context, secrets, signals }),
  };
}

function contextOf(
  { database, log, folders, fileStore, connections, users }: PortalDeps,
  visible: Pick<ActivityParts, 'access' | 'checklistAccess'>,
  starter: TriggerContext['starter'],
  workflowStarter: TriggerContext['workflowStarter'],
): TriggerContext {
  const audience = createAlertAudience(visible);
  return {
    database,
    log,
    starter,
    workflowStarter,
    folders,
    fileStore,
    connections,
    findHolder: async (userId): Promise<Holder | undefined> => {
      const user = await users.findById(userId);
      return user?.Enabled ? { UserId: user.UserId, IsUserAdmin: user.IsUserAdmin, fromInternet: false } : undefined;
    },
    maySee: (db, holder, { UserId, ...of }) =>
      audience.mayLearn(db, holder, { ...of, starterId: UserId, isOfRun: true }),
    contentIssue: (fileName, head) => contentIssue(fileName, Buffer.from(head)),
    sinceLastPoll: (work) => sinceCursor(database, 'triggers', work),
  };
}

export function registerTriggers(http: FastifyInstance, parts: TriggerParts): void {
  registerTriggerRoutes(http, parts);
}
