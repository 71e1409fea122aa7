/** The parts of the portal around activities, runs and files, put together. */
import type { Holder } from '#server/base/person.ts';
import type { FastifyInstance } from 'fastify';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Database } from '#server/db/database.ts';
import { createWorkbookComparer } from '#server/executors/workbook/compare/workbook-comparer.ts';
import type { Executor } from '#server/executors/executor.ts';
import type { StepFacilities } from '#server/executors/step-services.ts';
import { createActivityAccess } from '#server/features/activities/activity-access.ts';
import { registerActivitiesRoutes } from '#server/features/activities/activities-routes.ts';
import { createActivitiesService, type ActivitiesService } from '#server/features/activities/activities-service.ts';
import { createFormsService, type FormsService } from '#server/features/forms/forms-service.ts';
import { registerFormsRoutes } from '#server/features/forms/forms-routes.ts';
import { createPresetsService, type PresetsService } from '#server/features/activities/presets-service.ts';
import { createSamplesService, type SamplesService } from '#server/features/forms/samples-service.ts';
import { createPublishService, type PublishService } from '#server/features/versions/publish-service.ts';
import { registerVersionsRoutes } from '#server/features/versions/versions-routes.ts';
import { registerVersionChangesRoutes } from '#server/features/versions/version-changes-routes.ts';
import {
  createVersionChangesService,
  type VersionChangesService,
} from '#server/features/versions/version-changes-service.ts';
import { createVersionCatalog, type VersionCatalog } from '#server/versions/version-catalog.ts';
import { createVersionPurge, type VersionPurge } from '#server/features/versions/version-purge.ts';
import { createVersionsService, type VersionsService } from '#server/features/versions/versions-service.ts';
import { registerFilesRoutes } from '#server/features/files/files-routes.ts';
import { createUploadHandler } from '#server/features/files/upload-handler.ts';
import { createFilesService, type FilesService } from '#server/features/files/files-service.ts';
import {
  createLinkedActivityService,
  type LinkedActivityService,
} from '#server/features/links/linked-activity-service.ts';
import { createLinkedForms } from '#server/features/links/linked-forms.ts';
import { createLinkedStartService, type LinkedStartService } from '#server/features/links/linked-start-service.ts';
import { registerLinksRoutes } from '#server/features/links/links-routes.ts';
import { createLinksService, type LinksService } from '#server/features/links/links-service.ts';
import { registerLiveRoutes } from '#server/features/live/live-routes.ts';
import { createLiveService, type LiveDeps, type LiveService } from '#server/features/live/live-service.ts';
import { registerNotificationRoutes } from '#server/features/notifications/notifications-routes.ts';
import {
  createNotificationsService,
  type NotificationsService,
} from '#server/features/notifications/notifications-service.ts';
import { registerPurgeRoutes } from '#server/features/retention/purge-routes.ts';
import { registerPublicRunsRoutes } from '#server/features/public-runs/public-runs-routes.ts';
import { createPublicRunsService, type PublicRunsService } from '#server/features/public-runs/public-runs-service.ts';
import { createPublicVisitor } from '#server/features/public-runs/public-visitor.ts';
import { createPickersService, type PickersService } from '#server/features/pickers/pickers-service.ts';
import { createPurgeService, type PurgeService } from '#server/features/retention/purge-service.ts';
import {
  createRetentionService,
  readRetention,
  type RetentionService,
} from '#server/features/retention/retention-service.ts';
import type { RightsService } from '#server/features/rights/rights-service.ts';
import { createHistoryService, type HistoryService } from '#server/features/runs/history-service.ts';
import { registerDocumentsRoutes } from '#server/features/runs/documents-routes.ts';
import { createDocumentsService, type DocumentsService } from '#server/features/runs/documents-service.ts';
import { createRunAccess } from '#server/features/runs/run-access.ts';
import { createRunDownloadsService, type RunDownloadsService } from '#server/features/runs/run-downloads-service.ts';
import { registerRunsRoutes } from '#server/features/runs/runs-routes.ts';
import { createRunsService, type RunsService } from '#server/features/runs/runs-service.ts';
import { createStartService, type StartService } from '#server/features/runs/start-service.ts';
import { createTableWorkbookBuilder } from '#server/features/runs/table-workbook-builder.ts';
import { createScheduleStarter } from '#server/features/schedules/schedule-starter.ts';
import { registerScheduleRoutes } from '#server/features/schedules/schedules-routes.ts';
import {
  readSchedule,
  createSchedulesService,
  type SchedulesService,
} from '#server/features/schedules/schedules-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { StaticFolders } from '#server/folders/static-folders.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';
import type { Log } from '#server/base/log.ts';
import type { ScheduleStarter } from '#server/jobs/schedules/scheduled-runs.ts';

export interface PortalDeps {
  database: Database;
  fileStore: FileStore;
  executor: Executor;
  connections: ConnectionAccess;
  signals: RunSignals;
  rights: RightsService;
  /** See LiveDeps. */
  recheck: LiveDeps['recheck'];
  users: UsersService;
  folders: StaticFolders;
  timeZone: string;
  log: Log;
  /** Of the server: what steps may use besides connections. */
  facilities: Pick<StepFacilities, 'mail' | 'pdf'>;
}

export interface Portal {
  folders: StaticFolders;
  versions: VersionCatalog;
  activities: ActivitiesService;
  pickers: PickersService;
  forms: FormsService;
  presets: PresetsService;
  samples: SamplesService;
  publishing: PublishService;
  activityVersions: VersionsService;
  versionChanges: VersionChangesService;
  files: FilesService;
  runs: RunsService;
  history: HistoryService;
  starts: StartService;
  documents: DocumentsService;
  downloads: RunDownloadsService;
  links: LinksService;
  linkedActivities: LinkedActivityService;
  linkedStarts: LinkedStartService;
  publicRuns: PublicRunsService;
  schedules: SchedulesService;
  scheduleStarter: ScheduleStarter;
  retention: RetentionService;
  purge: PurgeService;
  versionPurge: VersionPurge;
  notifications: NotificationsService;
  live: LiveService;
}

// oxlint-disable-next-line max-lines-per-function -- a list of parts and what each is given, without a branch
export function createPortal(deps: PortalDeps): Portal {
  const { database, fileStore, executor, signals, rights, users, folders, timeZone, connections, log } = deps;
  const { facilities } = deps;
  const versions = createVersionCatalog(database.knex, { folders: folders.names });
  const activityAccess = createActivityAccess(rights);
  const access = createRunAccess(rights, activityAccess);
  const links = createLinksService({ database, access: activityAccess, versions });
  const linkedForm = createLinkedForms(database, links, access);
  const plans = {
    schedule: (id: number) => readSchedule(database, id),
    retention: (id: number) => readRetention(database, id),
  };
  const activities = createActivitiesService({ database, rights, access: activityAccess, versions, links, plans });
  const files = createFilesService(database, fileStore);
  const workbooks = createTableWorkbookBuilder();
  const forms = createFormsService({
    database,
    access: activityAccess,
    activities,
    versions,
    files: fileStore,
    executor,
    linkedForm,
  });
  const pickers = createPickersService({
    database,
    access: activityAccess,
    activities,
    versions,
    connections,
    log,
    linkedForm,
  });
  const starts = createStartService({
    database,
    activities,
    forms,
    pickers,
    activityAccess,
    runAccess: access,
    versions,
    signals,
  });
  const publishing = createPublishService({
    database,
    rights,
    access: activityAccess,
    files: fileStore,
    executor,
    connections,
    facilitiesFor: async (person) => ({ ...facilities, connections: await usableConnections(connections, person) }),
  });
  const runs = createRunsService({ database, rights, activityAccess, access, versions, signals, links });
  const downloads = createRunDownloadsService({ database, access, versions, files, workbooks, users });
  const visitor = createPublicVisitor(users);
  const notifications = createNotificationsService(database, activityAccess);
  return {
    folders,
    versions,
    activities,
    pickers,
    forms,
    presets: createPresetsService({ database, access: activityAccess, versions, activities }),
    samples: createSamplesService({ database, activities, access: activityAccess, versions, files, workbooks }),
    files,
    publishing,
    activityVersions: createVersionsService({ database, access: activityAccess, activities, files }),
    versionChanges: createVersionChangesService({
      database,
      access: activityAccess,
      activities,
      versions,
      files: fileStore,
      comparer: createWorkbookComparer(),
      publishing,
    }),
    runs,
    history: createHistoryService({ database, activityAccess, versions, files, links }),
    documents: createDocumentsService({ database, access, files }),
    starts,
    links,
    linkedActivities: createLinkedActivityService(links, activities),
    linkedStarts: createLinkedStartService({ database, links, runAccess: access, starts }),
    downloads,
    publicRuns: createPublicRunsService({ database, visitor, activities, forms, pickers, starts, runs, downloads }),
    schedules: createSchedulesService({ database, access: activityAccess, activities, timeZone }),
    scheduleStarter: createScheduleStarter({ database, users, access: activityAccess, activities, versions }),
    retention: createRetentionService(database, activityAccess),
    purge: createPurgeService({ database, store: fileStore, rights, runAccess: access, timeZone }),
    versionPurge: createVersionPurge({ database, access: activityAccess, store: fileStore, versions }),
    notifications,
    live: createLiveService({ database, runs, notifications, signals, log, recheck: deps.recheck }),
  };
}

/** What the definition of a workbook may know of connections: it crosses a thread's border, where functions cannot go. */
async function usableConnections(
  connections: ConnectionAccess,
  person: Holder,
): Promise<StepFacilities['connections']> {
  const usable = await connections.list(person);
  return usable.map(({ name, kind, allowWrites }) => ({ name, kind, allowWrites }));
}

interface PortalRoutesOptions {
  fileStore: FileStore;
  maxUploadBytes: number;
  limits: { publicCalls: number; publicStarts: number };
}

export function registerPortalRoutes(
  http: FastifyInstance,
  portal: Portal,
  { fileStore, maxUploadBytes, limits }: PortalRoutesOptions,
): void {
  const { activities, pickers, publishing, activityVersions, files, runs, starts, downloads } = portal;
  registerActivitiesRoutes(http, { activities, pickers });
  registerVersionsRoutes(http, { publishing, versions: activityVersions, files: fileStore, maxUploadBytes });
  registerVersionChangesRoutes(http, portal.versionChanges);
  registerFormsRoutes(http, portal);
  const upload = createUploadHandler({ files, store: fileStore, activities, maxUploadBytes, links: portal.links });
  registerFilesRoutes(http, { files, upload, folders: portal.folders });
  registerRunsRoutes(http, { runs, history: portal.history, starts, downloads });
  registerLinksRoutes(http, portal);
  registerPublicRunsRoutes(http, { ...portal, upload, limits });
  registerDocumentsRoutes(http, portal.documents, files);
  registerScheduleRoutes(http, portal);
  registerPurgeRoutes(http, { purge: portal.purge, versions: portal.versionPurge });
  registerNotificationRoutes(http, portal.notifications);
  registerLiveRoutes(http, portal.live);
}
