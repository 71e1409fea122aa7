/** The calls whose answers are kept, as the contract marks them, found again by the path of a request. */
import * as activities from '#shared/contract/activities.ts';
import * as approvals from '#shared/contract/approvals.ts';
import * as auth from '#shared/contract/auth.ts';
import * as checklistRuns from '#shared/contract/checklist-runs.ts';
import * as checklists from '#shared/contract/checklists.ts';
import type { Endpoint, Kept } from '#shared/contract/endpoint.ts';
import * as notifications from '#shared/contract/notifications.ts';
import * as runHistory from '#shared/contract/run-history.ts';
import * as runs from '#shared/contract/runs.ts';
import * as settings from '#shared/contract/settings.ts';

const MODULES: object[] = [
  activities,
  approvals,
  auth,
  checklistRuns,
  checklists,
  notifications,
  runHistory,
  runs,
  settings,
];

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'transport' in value && 'kept' in value;

/** Every call of the contract that is marked as kept. */
export const KEPT_CALLS: readonly Endpoint[] = MODULES.flatMap((module) => Object.values(module) as unknown[]).filter(
  (value): value is Endpoint => isEndpoint(value) && value.kept !== null,
);

const PATTERNS = KEPT_CALLS.map(({ method, path, kept }) => ({
  method,
  kept: kept!,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
}));

/** What is kept of a request; null for nothing. */
export const keptOf = (method: string, path: string): Kept | null =>
  PATTERNS.find((one) => one.method === method && one.pattern.test(path))?.kept ?? null;
