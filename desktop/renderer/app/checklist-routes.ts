import type { RouteObject } from 'react-router-dom';
import { page } from './page-route.ts';

/** Pages of checklists and workflows. Paths follow the specification of activities. */
export const CHECKLISTS: RouteObject[] = [
  page(
    'checklists/new',
    async () => (await import('#renderer/features/checklists/EditChecklistPage.tsx')).NewChecklistPage,
  ),
  page(
    'checklists/edit/:id',
    async () => (await import('#renderer/features/checklists/EditChecklistPage.tsx')).EditChecklistPage,
  ),
  page(
    'workflows/new',
    async () => (await import('#renderer/features/workflows/new/NewWorkflowPage.tsx')).NewWorkflowPage,
  ),
  page(
    'workflows/edit/:id',
    async () => (await import('#renderer/features/workflows/EditWorkflowPage.tsx')).EditWorkflowPage,
  ),
  page(
    'workflows/versions/:id',
    async () => (await import('#renderer/features/workflows/versions/WorkflowVersionsPage.tsx')).WorkflowVersionsPage,
  ),
  page(
    'workflows/versions/:id/:version',
    async () => (await import('#renderer/features/workflows/versions/WorkflowVersionPage.tsx')).WorkflowVersionPage,
  ),
  page(
    'workflows/versions/:id/changes/:from/:to',
    async () => (await import('#renderer/features/workflows/versions/WorkflowChangesPage.tsx')).WorkflowChangesPage,
  ),
  page(
    'workflows/import',
    async () => (await import('#renderer/features/workflows/versions/ImportWorkflowPage.tsx')).ImportWorkflowPage,
  ),
  ...[
    'checklists/run/:id',
    'checklists/run/:id/again/:runId',
    'workflows/run/:id',
    'workflows/run/:id/again/:runId',
  ].map((path) =>
    page(path, async () => (await import('#renderer/features/checklists/RunChecklistPage.tsx')).RunChecklistPage),
  ),
  ...['checklists/runstatus/:id', 'workflows/runstatus/:id'].map((path) =>
    page(
      path,
      async () => (await import('#renderer/features/checklists/status/ChecklistStatusPage.tsx')).ChecklistStatusPage,
    ),
  ),
  ...['checklists', 'workflows']
    .flatMap((kind) => [`${kind}/runstatus/:id/again`, `${kind}/runstatus/:id/again/:stepKey`])
    .map((path) =>
      page(path, async () => (await import('#renderer/features/checklists/again/RunAgainPage.tsx')).RunAgainPage),
    ),
  page(
    'checklists/schedule/further/:id',
    async () =>
      (await import('#renderer/features/schedules/additional/AdditionalSchedulesPage.tsx'))
        .AdditionalChecklistSchedulesPage,
  ),
  page(
    'checklists/schedule/edit/:id',
    async () =>
      (await import('#renderer/features/checklists/schedules/ChecklistSchedulePage.tsx')).ChecklistSchedulePage,
  ),
  page(
    'checklists/triggers/:id',
    async () => (await import('#renderer/features/triggers/TriggersPage.tsx')).ChecklistTriggersPage,
  ),
  page('checklists/alerts/:id', async () => (await import('#renderer/features/alerts/AlertsPage.tsx')).AlertsPage),
  page(
    'checklists/runretention/edit/:id',
    async () =>
      (await import('#renderer/features/checklists/schedules/ChecklistRetentionPage.tsx')).ChecklistRetentionPage,
  ),
  page('approvals', async () => (await import('#renderer/features/approvals/ApprovalsPage.tsx')).ApprovalsPage),
  page('approvals/:id', async () => (await import('#renderer/features/approvals/ApprovalPage.tsx')).ApprovalPage),
  page(
    'checklists/runhistory/:id',
    async () => (await import('#renderer/features/checklists/ChecklistHistoryPage.tsx')).ChecklistHistoryPage,
  ),
];
