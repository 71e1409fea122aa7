/** The parts around activities: versions, forms, pickers, files and links. */
import type { FastifyInstance } from 'fastify';
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { createWorkbookComparer } from '#server/executors/workbook/compare/workbook-comparer.ts';
import type { StepCapabilities } from '#server/executors/step-services.ts';
import { createActivityAccess } from '#server/access/activity-access.ts';
import { registerActivitiesRoutes } from '#server/features/activities/activities-routes.ts';
import { createActivitiesService } from '#server/features/activities/activities-service.ts';
import { createPresetsService, type PresetsDeps } from '#server/features/activities/presets-service.ts';
import { registerDesignsRoutes } from '#server/features/designs/designs-routes.ts';
import { registerFilesRoutes } from '#server/features/files/files-routes.ts';
import { createFilesService } from '#server/features/files/files-service.ts';
import { createUploadHandler } from '#server/features/files/upload-handler.ts';
import { registerFormsRoutes } from '#server/features/forms/forms-routes.ts';
import { createWorkflowIncompatibilityFinder } from '#server/features/checklists/workflow-incompatibilities-service.ts';
import { createChecklistAccess } from '#server/access/checklist-access.ts';
import { createChecklistsOfActivity } from '#server/features/checklists/checklists-of-activity-service.ts';
import { registerChecklistsRoutes } from '#server/features/checklists/checklists-routes.ts';
import { createFormsService, type FormsService } from '#server/features/forms/forms-service.ts';
import { createSamplesService } from '#server/features/forms/samples-service.ts';
import { createLinkedForms } from '#server/features/links/linked-forms-service.ts';
import { createLinksService } from '#server/features/links/links-service.ts';
import { createPickersService } from '#server/features/pickers/pickers-service.ts';
import { registerProceduresRoutes } from '#server/features/procedures/procedures-routes.ts';
import { registerExampleFilesRoutes } from '#server/features/samples/example-files-routes.ts';
import { createExampleFilesService } from '#server/features/samples/example-files-service.ts';
import { readRetention } from '#server/features/retention/retention-service.ts';
import { createRunAccess } from '#server/access/run-access.ts';
import { createTableWorkbookBuilder } from '#server/sheets/table-workbook-builder.ts';
import { readSchedule } from '#server/features/schedules/schedules-service.ts';
import { createReplayer } from '#server/features/test-beds/replay-cases.ts';
import { createTestGate } from '#server/features/test-beds/test-gate-service.ts';
import { createInspectService } from '#server/features/versions/inspect-service.ts';
import { createPublishService } from '#server/features/versions/publish-service.ts';
import { registerVersionChangesRoutes } from '#server/features/versions/version-changes-routes.ts';
import { createVersionChangesService } from '#server/features/versions/version-changes-service.ts';
import { createVersionPurge } from '#server/features/versions/version-purge-service.ts';
import { registerVersionsRoutes } from '#server/features/versions/versions-routes.ts';
import { createVersionsService } from '#server/features/versions/versions-service.ts';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import { createChecklists, listedChecklists } from './checklists.ts';
import type { PortalDeps, PortalRoutesOptions } from './portal-deps.ts';
import { createDesignParts } from './designs.ts';
import { createProcedureParts } from './procedures.ts';
import type { ActivityParts } from './activity-parts.ts';
import { createAccessParts } from './access-parts.ts';

export function createActivityParts(deps: PortalDeps): ActivityParts {
  const { database, fileStore, executor, rights, folders, connections, log } = deps;
  const versions = createVersionCatalog(database.knex, { folders: folders.names });
  const access = createActivityAccess(rights);
  const runAccess = createRunAccess(rights, access);
  const links = createLinksService({ database, access, versions });
  const linkedForm = createLinkedForms(database, links, runAccess);
  const plans = {
    schedule: (id: number) => readSchedule(database, id),
    retention: (id: number) => readRetention(database, id),
  };
  const checklistAccess = createChecklistAccess(rights, access);
  const checklists = listedChecklists(database, checklistAccess);
  const activities = createActivitiesService({ database, rights, access, versions, links, plans, checklists });
  const base = { database, access, activities, versions };
  const files = createFilesService(database, fileStore);
  const workbooks = createTableWorkbookBuilder();
  const capabilitiesFor = async (person: Holder): Promise<StepCapabilities> => ({
    ...deps.capabilities,
    connections: await usableConnections(connections, person),
  });
  const ofProcedures = createProcedureParts({ ...base, rights, connections });
  const replayer = createReplayer(deps);
  const testGate = createTestGate({ database, files: fileStore, replayer, log });
  const procedures = ofProcedures.procedurePublishing;
  const making = { ...base, rights, connections, files: fileStore, procedures, testGate };
  const publishing = createPublishService({ ...making, executor, capabilitiesFor });
  const comparer = createWorkbookComparer();
  const ofChecklists = createChecklists({ database, rights, checklistAccess, activities, versions });
  const checklistsOf = createChecklistsOfActivity(database, checklistAccess);
  const inWorkflows = { database, checklistsOf, inputsOf: ofChecklists.checklistInputs, versions };
  const findWorkflowIncompatibilities = createWorkflowIncompatibilityFinder(inWorkflows);
  const forms = createFormsService({ ...base, files: fileStore, executor, linkedForm });
  return {
    access,
    runAccess,
    ...createAccessParts(deps, access),
    versions,
    activities,
    pickers: createPickersService({ ...base, connections, log, linkedForm }),
    forms,
    presets: createPresetsService({ ...base, refusedByRules: rulesOfPresets(forms) }),
    samples: createSamplesService({ ...base, files, workbooks }),
    publishing,
    replayer,
    examples: createExampleFilesService(files),
    inspecting: createInspectService({ ...making, executor, capabilitiesFor }),
    ...createDesignParts({ ...deps, access, versions, files, capabilitiesFor }),
    ...ofProcedures,
    activityVersions: createVersionsService({ ...base, files }),
    versionChanges: createVersionChangesService({ ...making, comparer, publishing, findWorkflowIncompatibilities }),
    versionPurge: createVersionPurge({ database, access, store: fileStore, versions }),
    files,
    links,
    ...ofChecklists,
    workbooks,
  };
}

/**
 * Returns what a workbook's definition may know about connections: plain data, because functions cannot be passed to a
 * thread.
 */
async function usableConnections(
  connections: ConnectionAccess,
  person: Holder,
): Promise<StepCapabilities['connections']> {
  const usable = await connections.list(person);
  return usable.map(({ name, kind, allowWrites }) => ({ name, kind, allowWrites }));
}

export function registerActivityRoutes(
  http: FastifyInstance,
  parts: ActivityParts,
  { fileStore, maxUploadBytes, folders }: PortalRoutesOptions & Pick<PortalDeps, 'folders'>,
): ReturnType<typeof createUploadHandler> {
  const { activities, pickers, publishing, inspecting, activityVersions, files, links } = parts;
  registerActivitiesRoutes(http, { activities, pickers });
  registerVersionsRoutes(http, {
    publishing,
    inspecting,
    designs: parts.designs,
    markedWorkbooks: parts.markedWorkbooks,
    versions: activityVersions,
    files: fileStore,
    maxUploadBytes,
  });
  registerDesignsRoutes(http, { ...parts, files: fileStore, maxUploadBytes });
  registerExampleFilesRoutes(http, parts.examples);
  registerVersionChangesRoutes(http, parts.versionChanges);
  registerProceduresRoutes(http, parts);
  registerFormsRoutes(http, parts);
  registerChecklistsRoutes(http, parts.checklists);
  const upload = createUploadHandler({ files, store: fileStore, activities, maxUploadBytes, links });
  registerFilesRoutes(http, { files, upload, folders });
  return upload;
}

/** Checks presets against the rules like a form that leaves all other values to the workbook. */
const rulesOfPresets =
  (forms: FormsService): PresetsDeps['refusedByRules'] =>
  async (version, inputs, userId) => {
    const form = { userId, uniqueId: null, values: [], files: new Map() };
    return (await forms.startChecks(version, inputs, form)).refused;
  };
