/** Composes the parts around runs: starting, watching, history, downloads, public visitors, and automatic actions. */
import type { FastifyInstance } from 'fastify';
import { registerActivityHomeRoutes } from '#server/features/activity-home/activity-home-routes.ts';
import {
  createActivityHomeService,
  type ActivityHomeService,
} from '#server/features/activity-home/activity-home-service.ts';
import { registerActivityMarksRoutes } from '#server/features/activity-marks/activity-marks-routes.ts';
import {
  createActivityMarksService,
  type ActivityMarksService,
} from '#server/features/activity-marks/activity-marks-service.ts';
import {
  createLinkedActivityService,
  type LinkedActivityService,
} from '#server/features/links/linked-activity-service.ts';
import { createLinkedStartService, type LinkedStartService } from '#server/features/links/linked-start-service.ts';
import { registerLinksRoutes } from '#server/features/links/links-routes.ts';
import { registerLiveRoutes } from '#server/features/live/live-routes.ts';
import { createLiveService, type LiveService } from '#server/features/live/live-service.ts';
import { createAlertAudience } from '#server/features/alerts/alert-audience.ts';
import { createAlertNotices } from '#server/features/alerts/alert-notices-service.ts';
import { createApprovalNotices } from '#server/features/approvals/approval-notices-service.ts';
import { createListSucceeded } from '#server/features/notifications/succeeded-runs.ts';
import { registerNotificationRoutes } from '#server/features/notifications/notifications-routes.ts';
import { createChecklistNotices } from '#server/features/notifications/checklist-notices.ts';
import {
  createNotificationsService,
  type NotificationsService,
} from '#server/features/notifications/notifications-service.ts';
import { registerPublicRunsRoutes } from '#server/features/public-runs/public-runs-routes.ts';
import { createPublicRunsService, type PublicRunsService } from '#server/features/public-runs/public-runs-service.ts';
import { createPublicVisitor } from '#server/access/public-visitor.ts';
import { registerPurgeRoutes } from '#server/features/retention/purge-routes.ts';
import { createPurgeService, type PurgeService } from '#server/features/retention/purge-service.ts';
import { createRetentionService, type RetentionService } from '#server/features/retention/retention-service.ts';
import { registerDocumentsRoutes } from '#server/features/runs/documents-routes.ts';
import { createDocumentsService, type DocumentsService } from '#server/features/runs/documents-service.ts';
import { createChecklistsOfActivity } from '#server/features/checklists/checklists-of-activity-service.ts';
import { createChecklistRunAccess } from '#server/access/checklist-run-access.ts';
import { createHistoryService, type HistoryService } from '#server/features/runs/history-service.ts';
import { createOutputSeriesService, type OutputSeriesService } from '#server/features/runs/output-series-service.ts';
import { createRunDownloadsService, type RunDownloadsService } from '#server/features/runs/run-downloads-service.ts';
import { registerRunsRoutes } from '#server/features/runs/runs-routes.ts';
import { createRunEnds, type RunEnds } from '#server/features/runs/run-ends.ts';
import { createRunsService, type RunsService } from '#server/features/runs/runs-service.ts';
import { createStartService, type StartService } from '#server/features/runs/start-service.ts';
import { createScheduleStarter } from '#server/features/schedules/schedule-starter.ts';
import { registerScheduleRoutes } from '#server/features/schedules/schedules-routes.ts';
import {
  createSchedulesService,
  readSchedules,
  type SchedulesService,
} from '#server/features/schedules/schedules-service.ts';
import type { AdvancingEngine } from '#server/workflows/advancing-engine.ts';
import { createWorkflowEngine } from '#server/workflows/workflow-engine.ts';
import { createChildRunEngine } from '#server/workflows/child-runs/child-run-engine.ts';
import type { PrepareStep } from '#server/workflows/workflow-context.ts';
import type { FindStartable } from '#server/queue/check-start.ts';
import { registerChildRunsRoutes } from '#server/features/runs/child-runs-routes.ts';
import { createChildRunsService, type ChildRunsService } from '#server/features/runs/child-runs-service.ts';
import { createFindStartable } from '#server/features/runs/find-startable.ts';
import { createPrepareStep } from '#server/features/runs/prepare-step.ts';
import type { ScheduleStarter } from '#server/automation/schedules/scheduled-runs.ts';
import { createRunTools, registerRunToolRoutes, type RunTools } from './run-tools.ts';
import type { registerActivityRoutes } from './activities.ts';
import type { ActivityParts } from './activity-parts.ts';
import type { PortalDeps, PortalRoutesOptions } from './portal-deps.ts';

export interface RunParts extends RunTools {
  home: ActivityHomeService;
  marks: ActivityMarksService;
  runs: RunsService;
  history: HistoryService;
  outputSeries: OutputSeriesService;
  starts: StartService;
  runEnds: RunEnds;
  workflowEngine: AdvancingEngine;
  childRuns: AdvancingEngine;
  childRunsService: ChildRunsService;
  findStartable: FindStartable;
  prepareStep: PrepareStep;
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
  const sharedDeps = { database, activityAccess, versions, files, links, rights };
  const runs = createRunsService({ ...sharedDeps, checklistAccess, access: runAccess, signals });
  const downloads = createRunDownloadsService({ database, access: runAccess, versions, files, workbooks, users });
  const notifications = createNotices(deps, parts);
  const prepareStep = createPrepareStep({ database, users, activityAccess, starts });
  const engine = { database, signals, versions, prepareStep, log };
  const accesses = { activityAccess, workflowRunAccess: createChecklistRunAccess(database, rights, checklistAccess) };
  const visitor = createPublicVisitor(users);
  const history = createHistoryService(sharedDeps);
  const tools = createRunTools(deps, parts, starts);
  return {
    home: createHome(deps, parts, history),
    marks: createActivityMarksService({ database, access, checklistAccess }),
    runs,
    history,
    outputSeries: createOutputSeriesService(sharedDeps),
    ...tools,
    starts,
    runEnds: createRunEnds({ database, signals, log }),
    workflowEngine: createWorkflowEngine(engine),
    childRuns: createChildRunEngine(engine),
    childRunsService: createChildRunsService({ database, access: runAccess, activityAccess, versions, files, signals }),
    prepareStep,
    findStartable: createFindStartable({ database, users, activityAccess, activities, versions }),
    documents: createDocumentsService({ database, access: runAccess, files }),
    downloads,
    linkedActivities: createLinkedActivityService(links, activities),
    linkedStarts: createLinkedStartService({ database, links, runAccess, starts }),
    publicRuns: createPublicRunsService({ ...parts, ...tools, database, visitor, starts, runs, downloads }),
    schedules: createSchedulesService({ database, access, activities, timeZone }),
    scheduleStarter: createScheduleStarter({ database, users, access, activities, versions, starts }),
    retention: createRetentionService(database, access),
    purge: createPurgeService({ database, store: fileStore, rights, runAccess, timeZone }),
    notifications,
    live: createLiveService({ ...accesses, database, runs, notifications, signals, log, recheck }),
  };
}

function createNotices(
  { database }: PortalDeps,
  { access, checklistAccess, accessNotices }: ActivityParts,
): NotificationsService {
  return createNotificationsService(database, access, {
    approvals: createApprovalNotices(database),
    checklists: createChecklistNotices(database, checklistAccess),
    alerts: createAlertNotices(database, createAlertAudience({ access, checklistAccess })),
    accessNotices,
    succeeded: createListSucceeded(database, checklistAccess),
  });
}

function createHome(
  { database }: PortalDeps,
  { access, activities, activityVersions, links, checklistAccess, sharingAccess }: ActivityParts,
  history: HistoryService,
): ActivityHomeService {
  const checklistsOf = createChecklistsOfActivity(database, checklistAccess);
  const schedulesOf = (id: number) => readSchedules(database, id);
  return createActivityHomeService({
    database,
    access,
    activities,
    history,
    versions: activityVersions,
    links,
    checklistsOf,
    schedulesOf,
    sharing: sharingAccess,
  });
}

export function registerRunRoutes(
  http: FastifyInstance,
  parts: ActivityParts & RunParts,
  upload: ReturnType<typeof registerActivityRoutes>,
  { limits }: Pick<PortalRoutesOptions, 'limits'>,
): void {
  registerActivityHomeRoutes(http, parts.home);
  registerActivityMarksRoutes(http, parts.marks);
  registerRunsRoutes(http, parts);
  registerRunToolRoutes(http, { ...parts, limits });
  registerChildRunsRoutes(http, parts.childRunsService);
  registerLinksRoutes(http, parts);
  registerPublicRunsRoutes(http, { ...parts, upload, limits });
  registerDocumentsRoutes(http, parts.documents, parts.files);
  registerScheduleRoutes(http, parts);
  registerPurgeRoutes(http, { purge: parts.purge, versions: parts.versionPurge });
  registerNotificationRoutes(http, parts.notifications);
  registerLiveRoutes(http, parts.live);
}
