/** Composes the parts of the portal that work with activities and runs. */
import type { FastifyInstance } from 'fastify';
import { registerOwnRightsRoutes, type OwnRightsDeps } from '#server/features/rights/own-rights-routes.ts';
import {
  registerScheduleOverviewRoutes,
  type ScheduleOverviewParts,
} from '#server/features/schedules/schedule-overview-routes.ts';
import { registerDashboardsRoutes, type DashboardParts } from '#server/features/dashboards/dashboards-routes.ts';
import { registerTableViewsRoutes } from '#server/features/tableviews/table-views-routes.ts';
import type { StaticFolders } from '#server/folders/static-folders.ts';
import { createActivityParts, registerActivityRoutes } from './activities.ts';
import type { ActivityParts } from './activity-parts.ts';
import { createChecklistParts, registerChecklistRoutes, type ChecklistParts } from './checklists.ts';
import { createDashboardParts } from './dashboards.ts';
import { createRunParts, registerRunRoutes, type RunParts } from './runs.ts';
import {
  createScheduleParts,
  createAdditionalScheduleParts,
  registerAdditionalSchedules,
  type AdditionalScheduleParts,
} from './schedules.ts';
import { createTableViewParts, type TableViewParts } from './table-views.ts';
import { createTestBedParts, registerTestBedRoutes, type TestBedParts } from './test-beds.ts';
import { createTriggerParts, registerTriggers, type TriggerParts } from './triggers.ts';
import type { PortalDeps, PortalRoutesOptions } from './portal-deps.ts';

export interface Portal
  extends
    ActivityParts,
    RunParts,
    ChecklistParts,
    TableViewParts,
    ScheduleOverviewParts,
    AdditionalScheduleParts,
    TestBedParts,
    TriggerParts,
    DashboardParts {
  folders: StaticFolders;
  ownRights: OwnRightsDeps;
}

export function createPortal(deps: PortalDeps): Portal {
  const activityParts = createActivityParts(deps);
  const tableViewParts = createTableViewParts({ ...deps, files: activityParts.files });
  const runParts = createRunParts(deps, activityParts);
  const checklistParts = createChecklistParts(deps, activityParts, runParts.starts);
  const scheduleParts = createScheduleParts(deps, activityParts);
  return {
    folders: deps.folders,
    ownRights: ownRightsDeps(deps, activityParts),
    ...activityParts,
    ...runParts,
    ...checklistParts,
    ...tableViewParts,
    ...scheduleParts,
    ...createAdditionalScheduleParts(deps, activityParts, runParts, checklistParts),
    ...createTriggerParts(deps, activityParts, runParts, checklistParts),
    ...createTestBedParts(deps, activityParts, runParts),
    ...createDashboardParts(deps, activityParts, checklistParts),
  };
}

function ownRightsDeps({ database: { knex }, rights }: PortalDeps, parts: ActivityParts): OwnRightsDeps {
  const { access, checklistAccess } = parts;
  return {
    rights,
    activityKeys: async (person, id) => {
      const { Id, Schema } = (await access.require(knex, person, id)).activity;
      return { Id, Schema };
    },
    checklistKeys: async (person, id) => {
      const { Schema } = (await checklistAccess.require(knex, person, id)).checklist;
      return { Schema };
    },
  };
}

export function registerPortalRoutes(http: FastifyInstance, portal: Portal, options: PortalRoutesOptions): void {
  const upload = registerActivityRoutes(http, portal, { ...options, folders: portal.folders });
  registerRunRoutes(http, portal, upload, options);
  registerChecklistRoutes(http, portal);
  registerScheduleOverviewRoutes(http, portal);
  registerAdditionalSchedules(http, portal);
  registerTriggers(http, portal);
  registerTableViewsRoutes(http, portal);
  registerTestBedRoutes(http, portal, options);
  registerDashboardsRoutes(http, portal, options.limits);
  registerOwnRightsRoutes(http, portal.ownRights);
}
