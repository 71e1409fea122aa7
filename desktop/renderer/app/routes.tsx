import { createBrowserRouter, type RouteObject } from 'react-router-dom';
import { bridge } from '#renderer/api/bridge.ts';
import { ADMINISTRATION } from './administration-routes.ts';
import { CHECKLISTS } from './checklist-routes.ts';
import { DASHBOARDS } from './dashboard-routes.ts';
import { LazyFrame, loadFrame } from './lazy-frame.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { openPage, page } from './page-route.ts';
import { RequireSession } from './RequireSession.tsx';
import { ScreenFailure } from './ScreenFailure.tsx';
import { useSession } from './session.ts';

const loadActivities = async () =>
  (await import('#renderer/features/activities/list/ActivitiesPage.tsx')).ActivitiesPage;

/** Pages for signed-in users, inside the frame. Paths follow the specifications of activities and security. */
const FRAMED: RouteObject[] = [
  page('oauth/authorize', async () => (await import('#renderer/features/assistants/ConsentPage.tsx')).ConsentPage),
  page('', async () => {
    // Prefetched during the server call because most users start with it.
    loadActivities().catch(() => undefined);
    return (await import('#renderer/features/dashboards/StartPage.tsx')).StartPage;
  }),
  page('activities', loadActivities),
  page(
    'activities/new',
    async () => (await import('#renderer/features/activities/editor/NewActivityPage.tsx')).NewActivityPage,
  ),
  page(
    'activities/:id',
    async () => (await import('#renderer/features/activities/home/ActivityHomePage.tsx')).ActivityHomePage,
  ),
  page(
    'activities/access/:id',
    async () => (await import('#renderer/features/activities/access/ActivityAccessPage.tsx')).ActivityAccessPage,
  ),
  page(
    'activities/edit/:id',
    async () => (await import('#renderer/features/activities/editor/EditActivityPage.tsx')).EditActivityPage,
  ),
  page(
    'activities/versions/all',
    async () => (await import('#renderer/features/versions/AllVersionsPage.tsx')).AllVersionsPage,
  ),
  page(
    'activities/versions/:id',
    async () => (await import('#renderer/features/versions/ActivityVersionsPage.tsx')).ActivityVersionsPage,
  ),
  page(
    'activities/versions/:id/:version/fidelity',
    async () => (await import('#renderer/features/versions/FidelityPage.tsx')).FidelityPage,
  ),
  page(
    'activities/versions/:id/changes/:from/:to',
    async () => (await import('#renderer/features/versions/VersionChangesPage.tsx')).VersionChangesPage,
  ),
  page('activities/batch/:id', async () => (await import('#renderer/features/batches/BatchPage.tsx')).BatchPage),
  page(
    'activities/testbed/:id',
    async () => (await import('#renderer/features/test-beds/TestBedPage.tsx')).TestBedPage,
  ),
  page(
    'activities/testbed/:id/case/:caseId',
    async () => (await import('#renderer/features/test-beds/TestCasePage.tsx')).TestCasePage,
  ),
  page(
    'activities/linkage/new/:activityId',
    async () => (await import('#renderer/features/links/LinkagePages.tsx')).NewLinkagePage,
  ),
  page(
    'activities/linkage/edit/:linkId',
    async () => (await import('#renderer/features/links/LinkagePages.tsx')).EditLinkagePage,
  ),
  page(
    'activities/schedule/edit/:activityId',
    async () => (await import('#renderer/features/schedules/daily/SchedulePage.tsx')).SchedulePage,
  ),
  page('activities/alerts/:id', loadAlerts),
  page(
    'activities/triggers/:id',
    async () => (await import('#renderer/features/triggers/TriggersPage.tsx')).ActivityTriggersPage,
  ),
  page('triggers', async () => (await import('#renderer/features/triggers/AllTriggersPage.tsx')).AllTriggersPage),
  page(
    'activities/schedule/further/:activityId',
    async () =>
      (await import('#renderer/features/schedules/additional/AdditionalSchedulesPage.tsx'))
        .AdditionalActivitySchedulesPage,
  ),
  page(
    'activities/runretention/edit/:activityId',
    async () => (await import('#renderer/features/retention/RetentionPage.tsx')).RetentionPage,
  ),
  page('tableviews', async () => (await import('#renderer/features/tableviews/TableViewsPage.tsx')).TableViewsPage),
  page(
    'tableviews/new',
    async () => (await import('#renderer/features/tableviews/EditTableViewPage.tsx')).NewTableViewPage,
  ),
  page(
    'tableviews/edit/:id',
    async () => (await import('#renderer/features/tableviews/EditTableViewPage.tsx')).EditTableViewPage,
  ),
  page(
    'tableviews/run/:id',
    async () => (await import('#renderer/features/tableviews/RunTableViewPage.tsx')).RunTableViewPage,
  ),
  page('activities/purgeRunData', async () => (await import('#renderer/features/purge/PurgePage.tsx')).PurgePage),
  page('activities/run/:id', async () => (await import('#renderer/features/run-form/RunFormPage.tsx')).RunFormPage),
  page(
    'activities/run/:id/again/:runId',
    async () => (await import('#renderer/features/run-form/RunFormPage.tsx')).RunFormPage,
  ),
  page(
    'activities/run/:id/link/:linkId/:runId',
    async () => (await import('#renderer/features/run-form/linked/LinkedFormPage.tsx')).LinkedFormPage,
  ),
  page(
    'activities/runstatus',
    async () => (await import('#renderer/features/runs/pending/PendingRunsPage.tsx')).PendingRunsPage,
  ),
  page(
    'activities/runstatus/:id',
    async () => (await import('#renderer/features/runs/status/RunStatusPage.tsx')).RunStatusPage,
  ),
  page(
    'activities/runhistory',
    async () => (await import('#renderer/features/runs/operator/OperatorPage.tsx')).OperatorPage,
  ),
  page(
    'activities/runhistory/:id/:linkId?',
    async () => (await import('#renderer/features/runs/history/RunHistoryPage.tsx')).RunHistoryPage,
  ),
  page(
    'schedules',
    async () => (await import('#renderer/features/schedules/overview/SchedulesPage.tsx')).SchedulesPage,
  ),
  page(
    'accessRequests',
    async () => (await import('#renderer/features/access/AccessRequestsPage.tsx')).AccessRequestsPage,
  ),
  page('accessReasons', async () => (await import('#renderer/features/access/WhyPage.tsx')).WhyPage),
  page(
    'notifications',
    async () => (await import('#renderer/features/notifications/NotificationsPage.tsx')).NotificationsPage,
  ),
  page(
    'notifications/settings',
    async () => (await import('#renderer/features/alerts/NotificationSettingsPage.tsx')).NotificationSettingsPage,
  ),
  page('alerts', async () => (await import('#renderer/features/alerts/AllAlertsPage.tsx')).AllAlertsPage),
  page(
    'alerts/firings/:id',
    async () => (await import('#renderer/features/alerts/AlertFiringPage.tsx')).AlertFiringPage,
  ),
  page('outbox', async () => (await import('#renderer/features/outbox/OutboxPage.tsx')).OutboxPage),
  page('plugins/:name', async () => (await import('#renderer/features/plugins/PluginPage.tsx')).PluginPage),
  page(
    'activities/runcompare/:left/:right',
    async () => (await import('#renderer/features/runs/compare/CompareRunsPage.tsx')).CompareRunsPage,
  ),
  page(
    'changepassword',
    async () => (await import('#renderer/features/sign-in/ChangePasswordPage.tsx')).ChangePasswordPage,
  ),
  page(
    'secondfactor',
    async () => (await import('#renderer/features/second-factor/SecondFactorPage.tsx')).SecondFactorPage,
  ),
  page('excelAddIn', async () => (await import('#renderer/features/excel/ExcelAddInPage.tsx')).ExcelAddInPage),
  page('sessions', async () => (await import('#renderer/features/sessions/SessionsPage.tsx')).SessionsPage),
];

async function loadAlerts() {
  return (await import('#renderer/features/alerts/AlertsPage.tsx')).AlertsPage;
}

function UnknownPath() {
  const isSignedIn = useSession((state) => state.session !== null);
  return isSignedIn ? (
    <LazyFrame>
      <NotFoundPage />
    </LazyFrame>
  ) : (
    <NotFoundPage />
  );
}

export function createRoutes() {
  // Loaded in parallel with the page; if this fails, the frame itself reports it.
  if (useSession.getState().session) loadFrame().catch(() => undefined);
  return createBrowserRouter(
    [
      {
        errorElement: <ScreenFailure />,
        HydrateFallback: () => null,
        children: [
          openPage('login', async () => (await import('#renderer/features/sign-in/LoginPage.tsx')).LoginPage),
          openPage(
            'public/activities/run/:id',
            async () => (await import('#renderer/features/public-run/PublicRunPage.tsx')).PublicRunPage,
          ),
          openPage(
            'public/dashboards',
            async () => (await import('#renderer/features/dashboards/PublicDashboardPage.tsx')).PublicDashboardPage,
          ),
          openPage(
            'resetpassword',
            async () => (await import('#renderer/features/sign-in/ResetPasswordPage.tsx')).ResetPasswordPage,
          ),
          openPage(
            'documents/:uniqueId',
            async () => (await import('#renderer/features/documents/DocumentPage.tsx')).DocumentPage,
          ),
          {
            element: <RequireSession />,
            children: [...FRAMED, ...CHECKLISTS, ...DASHBOARDS, ...ADMINISTRATION].map(
              (route) => ({ ...route, errorElement: <ScreenFailure /> }) as RouteObject,
            ),
          },
          { path: '*', element: <UnknownPath /> },
        ],
      },
    ],
    { basename: bridge.basePath },
  );
}
