/** The parts around runs: starting, watching, history, downloads, public visitors, and what happens to runs by itself. */
import type { FastifyInstance } from 'fastify';
import {
  createLinkedActivityService,
  type LinkedActivityService,
} from '#server/features/links/linked-activity-service.ts';
import { createLinkedStartService, type LinkedStartService } from '#server/features/links/linked-start-service.ts';
import { registerLinksRoutes } from '#server/features/links/links-routes.ts';
import { registerLiveRoutes } from '#server/features/live/live-routes.ts';
import { createLiveService, type LiveService } from '#server/features/live/live-service.ts';
import { createApprovalNotices } from '#server/features/approvals/approval-notices.ts';
import { registerNotificationRoutes } from '#server/features/notifications/notifications-routes.ts';
import {
  createNotificationsService,
  type NotificationsService,
} from '#server/features/notifications/notifications-service.ts';
import { registerPublicRunsRoutes } from '#server/features/public-runs/public-runs-routes.ts';
import { createPublicRunsService, type PublicRunsService } from '#server/features/public-runs/public-runs-service.ts';
import { createPublicVisitor } from '#server/features/public-runs/public-visitor.ts';
import { registerPurgeRoutes } from '#server/features/retention/purge-routes.ts';
import { createPurgeService, type PurgeService } from '#server/features/retention/purge-service.ts';
import { createRetentionService, type RetentionService } from '#server/features/retention/retention-service.ts';
import { registerDocumentsRoutes } from '#server/features/runs/documents-routes.ts';
import { createDocumentsService, type DocumentsService } from '#server/features/runs/documents-service.ts';
import { createChecklistRunAccess } from '#server/features/checklists/checklist-run-access.ts';
import { createHistoryService, type HistoryService } from '#server/features/runs/history-service.ts';
import { createRunDownloadsService, type RunDownloadsService } from '#server/features/runs/run-downloads-service.ts';
import { registerRunsRoutes } from '#server/features/runs/runs-routes.ts';
import { createRunsService, type RunsService } from '#server/features/runs/runs-service.ts';
import { createStartService, type StartService } from '#server/features/runs/start-service.ts';
import { createScheduleStarter } from '#server/features/schedules/schedule-starter.ts';
import { registerScheduleRoutes } from '#server/features/schedules/schedules-routes.ts';
import { createSchedulesService, type SchedulesService } from '#server/features/schedules/schedules-service.ts';
import { createChainEngine, type ChainEngine } from '#server/jobs/chains/chain-engine.ts';
import { createPrepareStep } from '#server/features/runs/prepare-step.ts';
import type { ScheduleStarter } from '#server/jobs/schedules/scheduled-runs.ts';
import type { ActivityParts, registerActivityRoutes } from './activities.ts';
import type { PortalDeps, PortalRoutesOptions } from './portal.ts';

export interface RunParts {
  runs: RunsService;
  history: HistoryService;
  starts: StartService;
  chains: ChainEngine;
  documents: DocumentsService;
  downloads: RunDownloadsService;
  linkedActivities: LinkedActivityService;
  linkedStarts: LinkedStartService;
  publicRuns: PublicRunsService;
  schedules: SchedulesService;
  scheduleStarter: ScheduleStarter;
  retention: RetentionService;
  purge: PurgeService;
  notifications: NotificationsService;
  live: LiveService;
}

export function createRunParts(deps: PortalDeps, parts: ActivityParts): RunParts {
  const { database, fileStore, signals, rights, users, timeZone, log, recheck } = deps;
  const { access, runAccess, checklistAccess, versions, activities, forms, pickers, files, links, workbooks } = parts;
  const activityAccess = access;
  const starts = createStartService({
    database,
    activities,
    forms,
    pickers,
    activityAccess,
    runAccess,
    versions,
    signals,
  });
  const runs = createRunsService({ database, rights, activityAccess, access: runAccess, versions, signals, links });
  const downloads = createRunDownloadsService({ database, access: runAccess, versions, files, workbooks, users });
  const notifications = createNotificationsService(database, access, createApprovalNotices(database));
  const prepareStep = createPrepareStep({ database, users, activityAccess, starts });
  const chainAccess = createChecklistRunAccess(database, rights, checklistAccess);
  const visitor = createPublicVisitor(users);
  return {
    runs,
    history: createHistoryService({ database, activityAccess, versions, files, links }),
    starts,
    chains: createChainEngine({ database, signals, versions, prepareStep, log }),
    documents: createDocumentsService({ database, access: runAccess, files }),
    downloads,
    linkedActivities: createLinkedActivityService(links, activities),
    linkedStarts: createLinkedStartService({ database, links, runAccess, starts }),
    publicRuns: createPublicRunsService({ database, visitor, activities, forms, pickers, starts, runs, downloads }),
    schedules: createSchedulesService({ database, access, activities, timeZone }),
    scheduleStarter: createScheduleStarter({ database, users, access, activities, versions }),
    retention: createRetentionService(database, access),
    purge: createPurgeService({ database, store: fileStore, rights, runAccess, timeZone }),
    notifications,
    live: createLiveService({ database, runs, chainAccess, notifications, signals, log, recheck }),
  };
}

export function registerRunRoutes(
  http: FastifyInstance,
  parts: ActivityParts & RunParts,
  upload: ReturnType<typeof registerActivityRoutes>,
  { limits }: Pick<PortalRoutesOptions, 'limits'>,
): void {
  registerRunsRoutes(http, parts);
  registerLinksRoutes(http, parts);
  registerPublicRunsRoutes(http, { ...parts, upload, limits });
  registerDocumentsRoutes(http, parts.documents, parts.files);
  registerScheduleRoutes(http, parts);
  registerPurgeRoutes(http, { purge: parts.purge, versions: parts.versionPurge });
  registerNotificationRoutes(http, parts.notifications);
  registerLiveRoutes(http, parts.live);
}
