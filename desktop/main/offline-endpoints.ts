/**
 * Finds, by the path of a request, the calls whose responses are stored for offline reading according to the contract.
 */
import * as activities from '#shared/contract/activities.ts';
import * as approvals from '#shared/contract/approvals.ts';
import * as auth from '#shared/contract/auth.ts';
import * as checklistRuns from '#shared/contract/checklist-runs.ts';
import * as checklists from '#shared/contract/checklists.ts';
import type { Endpoint, OfflineCopy } from '#shared/contract/endpoint.ts';
import * as notifications from '#shared/contract/notifications.ts';
import * as runFailures from '#shared/contract/run-failures.ts';
import * as runHistory from '#shared/contract/run-history.ts';
import * as runTimeline from '#shared/contract/run-timeline.ts';
import * as runs from '#shared/contract/runs.ts';
import * as scheduleOverview from '#shared/contract/schedule-overview.ts';
import * as settings from '#shared/contract/settings.ts';

const MODULES: object[] = [
  activities,
  approvals,
  auth,
  checklistRuns,
  checklists,
  notifications,
  runFailures,
  runHistory,
  runTimeline,
  runs,
  scheduleOverview,
  settings,
];

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'transport' in value && 'offline' in value;

export const OFFLINE_ENDPOINTS: readonly Endpoint[] = MODULES.flatMap(
  (module) => Object.values(module) as unknown[],
).filter((value): value is Endpoint => isEndpoint(value) && value.offline !== null);

const PATTERNS = OFFLINE_ENDPOINTS.map(({ method, path, offline }) => ({
  method,
  copy: offline!,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
}));

/** Returns what is stored for a request; null for nothing. */
export const offlineCopyOf = (method: string, path: string): OfflineCopy | null =>
  PATTERNS.find((one) => one.method === method && one.pattern.test(path))?.copy ?? null;
