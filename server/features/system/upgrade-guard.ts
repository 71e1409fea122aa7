/**
 * Guards against mixed versions: a server of an older version might execute what a newer one stored without
 * understanding it.
 */
import { AppError } from '#server/base/app-error.ts';
import type { ServerState } from '#server/base/server-state.ts';
import { saveChecklist } from '#shared/contract/checklists.ts';
import { createStoredProcedureActivity, updateProcedure } from '#shared/contract/procedures.ts';
import { publishRefused } from '#shared/contract/test-beds.ts';
import { createActivity } from '#shared/contract/versions.ts';
import { createWorkflow } from '#shared/contract/new-workflows.ts';
import { applyWorkflow } from '#shared/contract/workflow-manifests.ts';
import { editAsWorkflow, importWorkflow, saveWorkflow } from '#shared/contract/workflows.ts';

/** As during maintenance: the call is valid and may be repeated later. */
const LOCKED = 423;

const PUBLISHING = [
  createActivity,
  createStoredProcedureActivity,
  updateProcedure,
  publishRefused,
  saveChecklist,
  createWorkflow,
  editAsWorkflow,
  saveWorkflow,
  importWorkflow,
  applyWorkflow,
];
const PUBLISHING_PATHS = new Set(PUBLISHING.map(({ path }) => path));

export const UPGRADE_UNDER_WAY =
  'The portal is being upgraded, and servers of different versions are running. Please publish when the upgrade has finished.';

/**
 * Throws an AppError if a call would publish something that servers of another version may not understand.
 * @param route as declared
 */
export function refusePublishing({ otherVersions }: Readonly<ServerState>, route: string): void {
  if (otherVersions.length > 0 && PUBLISHING_PATHS.has(route))
    throw new AppError('upgradeUnderWay', LOCKED, UPGRADE_UNDER_WAY);
}
