/** The modules of all features. Each one comes after those whose parts it needs to create its own. */
import { activitiesModule } from '#server/features/activities/activities-module.ts';
import { activityHomeModule } from '#server/features/activity-home/activity-home-module.ts';
import { activityMarksModule } from '#server/features/activity-marks/activity-marks-module.ts';
import { addInModule } from '#server/features/add-in/add-in-module.ts';
import { alertsModule } from '#server/features/alerts/alerts-module.ts';
import { apiKeysModule } from '#server/features/api-keys/api-keys-module.ts';
import { appearanceModule } from '#server/features/appearance/appearance-module.ts';
import { approvalsModule } from '#server/features/approvals/approvals-module.ts';
import { assistantsModule } from '#server/features/assistants/assistants-module.ts';
import { batchesModule } from '#server/features/batches/batches-module.ts';
import { checklistsModule } from '#server/features/checklists/checklists-module.ts';
import type { Core } from '#server/features/core.ts';
import { dashboardsModule } from '#server/features/dashboards/dashboards-module.ts';
import { designsModule } from '#server/features/designs/designs-module.ts';
import { directoriesModule } from '#server/features/directories/directories-module.ts';
import { evaluateModule } from '#server/features/evaluate/evaluate-module.ts';
import { filesModule, uploadsModule } from '#server/features/files/files-module.ts';
import { formsModule } from '#server/features/forms/forms-module.ts';
import { healthModule } from '#server/features/health/health-module.ts';
import { inputSetsModule } from '#server/features/input-sets/input-sets-module.ts';
import { licenseModule } from '#server/features/license/license-module.ts';
import { linksModule } from '#server/features/links/links-module.ts';
import { liveModule } from '#server/features/live/live-module.ts';
import { notificationsModule } from '#server/features/notifications/notifications-module.ts';
import { offlineReadingModule } from '#server/features/offline-reading/offline-reading-module.ts';
import { pickersModule } from '#server/features/pickers/pickers-module.ts';
import { pluginsModule } from '#server/features/plugins/plugins-module.ts';
import { proceduresModule } from '#server/features/procedures/procedures-module.ts';
import { publicRunsModule } from '#server/features/public-runs/public-runs-module.ts';
import { queueingModule } from '#server/features/queueing/queueing-module.ts';
import { retentionModule } from '#server/features/retention/retention-module.ts';
import { rightsModule } from '#server/features/rights/rights-module.ts';
import { rolesModule } from '#server/features/roles/roles-module.ts';
import { runsModule } from '#server/features/runs/runs-module.ts';
import { samplesModule } from '#server/features/samples/samples-module.ts';
import { savedSearchesModule } from '#server/features/saved-searches/saved-searches-module.ts';
import { schedulesModule } from '#server/features/schedules/schedules-module.ts';
import { schemasModule } from '#server/features/schemas/schemas-module.ts';
import { secondFactorModule } from '#server/features/second-factor/second-factor-module.ts';
import { securityActionsModule } from '#server/features/security-actions/security-actions-module.ts';
import { seeAsModule } from '#server/features/see-as/see-as-module.ts';
import { sessionsModule, signInModule } from '#server/features/sessions/sessions-module.ts';
import { setupModule } from '#server/features/setup/setup-module.ts';
import { sharingModule } from '#server/features/sharing/sharing-module.ts';
import { singleSignOnModule } from '#server/features/single-sign-on/single-sign-on-module.ts';
import { systemModule } from '#server/features/system/system-module.ts';
import { tableviewsModule } from '#server/features/tableviews/tableviews-module.ts';
import { testBedsModule } from '#server/features/test-beds/test-beds-module.ts';
import { additionalSchedulesModule } from '#server/features/additional-schedules/additional-schedules-module.ts';
import { triggersModule } from '#server/features/triggers/triggers-module.ts';
import { userImportModule } from '#server/features/user-import/user-import-module.ts';
import { usersAdminModule, usersModule } from '#server/features/users/users-module.ts';
import { versionsModule } from '#server/features/versions/versions-module.ts';
import { webhooksModule } from '#server/features/webhooks/webhooks-module.ts';
import { workflowsModule } from '#server/features/workflows/workflows-module.ts';
import { listModules } from './module-list.ts';

export const MODULES = listModules<Core>()
  // The installation.
  .add(systemModule)
  .add(healthModule)
  .add(appearanceModule)
  .add(pluginsModule)
  .add(schemasModule)
  .add(queueingModule)
  .add(offlineReadingModule)
  // Files and activities.
  .add(filesModule)
  .add(linksModule)
  .add(activitiesModule)
  .add(uploadsModule)
  .add(pickersModule)
  .add(formsModule)
  .add(samplesModule)
  .add(tableviewsModule)
  .add(activityMarksModule)
  .add(inputSetsModule)
  .add(savedSearchesModule)
  // People and what they may do.
  .add(rightsModule)
  .add(rolesModule)
  .add(usersModule)
  .add(sessionsModule)
  .add(licenseModule)
  .add(directoriesModule)
  .add(singleSignOnModule)
  .add(usersAdminModule)
  .add(userImportModule)
  .add(apiKeysModule)
  .add(secondFactorModule)
  .add(signInModule)
  .add(addInModule)
  .add(securityActionsModule)
  .add(seeAsModule)
  .add(setupModule)
  // Versions of activities, and runs.
  .add(proceduresModule)
  .add(testBedsModule)
  .add(versionsModule)
  .add(designsModule)
  .add(runsModule)
  .add(activityHomeModule)
  .add(evaluateModule)
  .add(publicRunsModule)
  .add(assistantsModule)
  .add(batchesModule)
  .add(retentionModule)
  // Checklists and what starts automatically.
  .add(checklistsModule)
  .add(workflowsModule)
  .add(approvalsModule)
  .add(dashboardsModule)
  .add(schedulesModule)
  .add(additionalSchedulesModule)
  // What people and other programs are notified of.
  .add(alertsModule)
  .add(triggersModule)
  .add(webhooksModule)
  .add(sharingModule)
  .add(notificationsModule)
  .add(liveModule);

/** The core, and the parts of all modules. */
export type Parts = ReturnType<typeof MODULES.create>;
