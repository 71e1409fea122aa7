/** The screens to photograph, with the actions that some of them need first. */
import type { Page } from 'playwright-core';
import type { LargeSeed } from './large-seed.ts';
import { BAD_ROWS } from './seed-test-bed.ts';

export interface Screen {
  /** Name of the picture file. */
  name: string;
  path: string;
  isSignedIn?: false;
  /** Leads to the intended state if the path alone does not. */
  open?: (page: Page) => Promise<void>;
}

/** Presses a button by its name in all available languages. */
const press =
  (name: RegExp): NonNullable<Screen['open']> =>
  (page) =>
    page.getByRole('main').getByRole('button', { name }).first().click();

const scrollTo =
  (heading: RegExp): NonNullable<Screen['open']> =>
  (page) =>
    page
      .getByRole('heading', { name: heading })
      .first()
      .evaluate((element) => element.scrollIntoView({ block: 'start' }));

/** Home page of an activity, its form and its runs. */
const ofActivity = ({ activity, run, earlierRun, failedRun, forms }: LargeSeed): Screen[] => [
  { name: 'activity-home', path: `/activities/${activity}/` },
  { name: 'activity-menu', path: `/activities/${activity}/`, open: press(/^Men(u of|ü von)/) },
  { name: 'activity-share', path: `/activities/${activity}/`, open: press(/^(Share|Teilen)$/) },
  { name: 'activity-access', path: `/activities/access/${activity}/` },
  { name: 'activity-edit', path: `/activities/edit/${activity}/` },
  { name: 'activity-alerts', path: `/activities/alerts/${activity}` },
  { name: 'activity-triggers', path: `/activities/triggers/${activity}` },
  { name: 'activity-schedule', path: `/activities/schedule/edit/${activity}` },
  { name: 'activity-further-schedules', path: `/activities/schedule/further/${activity}` },
  { name: 'activity-retention', path: `/activities/runretention/edit/${activity}` },
  { name: 'activity-versions', path: `/activities/versions/${activity}` },
  { name: 'activity-test-cases', path: `/activities/testbed/${activity}` },
  { name: 'activity-batch', path: `/activities/batch/${activity}` },
  { name: 'linkage-new', path: `/activities/linkage/new/${activity}` },
  { name: 'run-form', path: `/activities/run/${activity}/` },
  { name: 'run-form-grid', path: `/activities/run/${forms.table}/` },
  { name: 'run-form-choices', path: `/activities/run/${forms.choices}/` },
  { name: 'run-form-long', path: `/activities/run/${forms.long}/` },
  { name: 'run', path: `/activities/runstatus/${run}/` },
  { name: 'run-failed', path: `/activities/runstatus/${failedRun}/` },
  { name: 'run-compare', path: `/activities/runcompare/${earlierRun}/${run}` },
  { name: 'history-activity', path: `/activities/runhistory/${activity}` },
  { name: 'history-search', path: `/activities/runhistory/${activity}?search=open` },
  { name: 'public-form', path: `/public/activities/run/${activity}`, isSignedIn: false },
];

const EVERYDAY: Screen[] = [
  { name: 'login', path: '/login', isSignedIn: false },
  { name: 'activities', path: '/activities/' },
  { name: 'activities-filtered', path: '/activities/?state=failed&sort=-last' },
  { name: 'activities-nothing', path: '/activities/?q=xyzzy' },
  { name: 'palette', path: '/activities/', open: (page) => page.keyboard.press('Control+K') },
  { name: 'keys', path: '/activities/', open: (page) => page.keyboard.press('?') },
  { name: 'activity-new', path: '/activities/new/' },
  { name: 'sample-home', path: '/activities/1/' },
  { name: 'sample-form', path: '/activities/run/1/' },
  { name: 'sample-form-files', path: '/activities/run/2/' },
  { name: 'sample-form-table', path: '/activities/run/3/' },
  { name: 'sample-run', path: '/activities/runstatus/1/' },
  { name: 'fidelity', path: '/activities/versions/1/1/fidelity' },
  { name: 'history', path: '/activities/runhistory' },
  { name: 'history-reasons', path: '/activities/runhistory?view=reasons' },
  { name: 'history-timeline', path: '/activities/runhistory?view=timeline' },
  { name: 'pending', path: '/activities/runstatus' },
  { name: 'versions', path: '/activities/versions/all' },
  { name: 'schedules', path: '/schedules' },
  { name: 'triggers', path: '/triggers' },
  { name: 'notifications', path: '/notifications' },
  { name: 'notification-settings', path: '/notifications/settings' },
  { name: 'dashboards', path: '/dashboards' },
  { name: 'checklist-new', path: '/checklists/new' },
  { name: 'workflow-import', path: '/workflows/import' },
  { name: 'approvals', path: '/approvals' },
  { name: 'table-views', path: '/tableviews' },
  { name: 'purge', path: '/activities/purgeRunData' },
  { name: 'change-password', path: '/changepassword' },
  { name: 'second-factor', path: '/secondfactor' },
  { name: 'sessions', path: '/sessions' },
  { name: 'excel-add-in', path: '/excelAddIn' },
  { name: 'not-found', path: '/nowhere' },
];

/** Opens all collapsible parts of a page. */
const openAll: NonNullable<Screen['open']> = async (page) => {
  await page.getByRole('main').locator('details').first().waitFor();
  await page.evaluate('for (const part of document.querySelectorAll("main details")) part.open = true');
};

/** Automation (schedules, triggers, alerts, test cases, batches), and what users view (dashboards, followed values). */
const automation = ({ automation: seed, activity }: LargeSeed): Screen[] => [
  { name: 'auto-schedules', path: `/activities/schedule/further/${seed.revenue}` },
  {
    name: 'auto-schedules-times',
    path: `/activities/schedule/further/${seed.revenue}`,
    open: (page) =>
      page
        .getByText(/^(Past occurrences|Letzte Termine)$/)
        .first()
        .click(),
  },
  {
    name: 'auto-schedule-form',
    path: `/activities/schedule/further/${seed.revenue}`,
    open: press(/^(Edit Closing|Closing bearbeiten)$/),
  },
  { name: 'auto-triggers', path: `/activities/triggers/${seed.revenue}`, open: openAll },
  {
    name: 'auto-trigger-form',
    path: `/activities/triggers/${seed.revenue}`,
    open: press(/^(Edit Orders|Orders .* bearbeiten)/),
  },
  { name: 'auto-alerts', path: `/activities/alerts/${seed.revenue}` },
  { name: 'auto-alert-dialog', path: `/activities/alerts/${seed.revenue}`, open: press(/^Edit | bearbeiten$/) },
  { name: 'auto-all-alerts', path: '/alerts' },
  { name: 'auto-alert-rule', path: '/alerts', open: press(/^(New alert rule|Neue Alarmregel)$/) },
  { name: 'auto-alert-firing', path: `/alerts/firings/${seed.firing}` },
  { name: 'auto-test-bed', path: `/activities/testbed/${seed.revenue}` },
  { name: 'auto-test-bed-limits', path: `/activities/testbed/${seed.limits}` },
  { name: 'auto-test-case', path: `/activities/testbed/${seed.limits}/case/${seed.testCase}` },
  { name: 'auto-batch', path: `/activities/batch/${seed.revenue}` },
  {
    name: 'auto-batch-checked',
    path: `/activities/batch/${seed.revenue}`,
    open: async (page) => {
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'Rows.csv', mimeType: 'text/csv', buffer: Buffer.from(BAD_ROWS) });
      await page.getByRole('table', { name: /^(Invalid cells|Ungültige Zellen)/ }).waitFor();
    },
  },
  { name: 'auto-calendar', path: '/holidayCalendars', open: press(/^(Edit Germany|Germany bearbeiten)$/) },
  { name: 'auto-dashboard', path: `/dashboards/${seed.dashboards.usual}` },
  { name: 'auto-dashboard-limits', path: `/dashboards/${seed.dashboards.limits}` },
  { name: 'auto-dashboard-edit', path: `/dashboards/edit/${seed.dashboards.usual}` },
  {
    name: 'auto-dashboard-tile',
    path: `/dashboards/edit/${seed.dashboards.usual}`,
    open: press(/^(Edit Interest|Interest .* bearbeiten)/),
  },
  { name: 'auto-dashboard-share', path: `/dashboards/${seed.dashboards.usual}`, open: press(/^(Share|Teilen)$/) },
  { name: 'auto-dashboard-public', path: `/public/dashboards#${seed.dashboards.token}`, isSignedIn: false },
  { name: 'auto-follow', path: `/activities/follow/${activity}/${seed.followedOutput}` },
];

const ADMINISTRATION: Screen[] = [
  { name: 'administration', path: '/administration' },
  { name: 'users', path: '/users/' },
  { name: 'user-new', path: '/newuser/' },
  { name: 'user-edit', path: '/edituser/2/' },
  { name: 'see-as', path: '/seeas/2/' },
  { name: 'user-api-keys', path: '/userapikeys/1/' },
  { name: 'roles', path: '/roles/' },
  { name: 'role', path: '/roles/Accounting%20Berlin/' },
  { name: 'rights', path: '/rights/' },
  { name: 'right-new', path: '/rights/new/' },
  { name: 'right-assign', path: '/rights/assign/sk.RunActivity/' },
  { name: 'right-refine', path: '/rights/refine/sk.RunActivity/Schema/' },
  { name: 'right-internet', path: '/rights/assignInternetRights/sk.RunActivity/' },
  { name: 'security-matrix', path: '/securityMatrix' },
  { name: 'access-requests', path: '/accessRequests' },
  { name: 'access-reasons', path: '/accessReasons?user=1&activity=3' },
  { name: 'security-actions', path: '/securityActions' },
  { name: 'security-actions-search', path: '/securityActions?search=finance&action=CreateSchema' },
  { name: 'schemas', path: '/schemas' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'webhook-new', path: '/webhooks/new' },
  { name: 'holiday-calendars', path: '/holidayCalendars' },
  { name: 'offline-reading', path: '/offlineReading' },
  { name: 'setup', path: '/setup' },
  { name: 'add-users', path: '/newusers/' },
  { name: 'system', path: '/system' },
  { name: 'system-drain', path: '/system', open: press(/^(Drain .*|.* auslaufen lassen)$/) },
  { name: 'system-trend', path: '/system', open: scrollTo(/^(Slowest activities|Langsamste Aktivitäten)$/) },
  { name: 'system-storage', path: '/system', open: scrollTo(/^(Storage|Speicher)$/) },
  { name: 'license', path: '/renewLicense' },
];

/** Checklists and workflows, and pages that show one item of a list. */
const workflowScreens = (seed: LargeSeed): Screen[] => [
  { name: 'checklist-edit', path: `/checklists/edit/${seed.checklist}` },
  { name: 'checklist-form', path: `/checklists/run/${seed.checklist}` },
  { name: 'checklist-run', path: `/checklists/runstatus/${seed.checklistRun}` },
  { name: 'checklist-history', path: `/checklists/runhistory/${seed.checklist}` },
  { name: 'checklist-schedule', path: `/checklists/schedule/edit/${seed.checklist}` },
  { name: 'checklist-retention', path: `/checklists/runretention/edit/${seed.checklist}` },
  { name: 'workflow-new', path: '/workflows/new' },
  { name: 'workflow-copy', path: `/workflows/new?from=${seed.workflow}` },
  { name: 'workflow-edit', path: `/workflows/edit/${seed.workflow}` },
  { name: 'workflow-edit-list', path: `/workflows/edit/${seed.workflow}?view=list` },
  { name: 'workflow-form', path: `/workflows/run/${seed.workflow}` },
  { name: 'workflow-run', path: `/workflows/runstatus/${seed.workflowRun}` },
  { name: 'workflow-versions', path: `/workflows/versions/${seed.workflow}` },
  { name: 'workflow-version', path: `/workflows/versions/${seed.workflow}/1` },
  { name: 'approval', path: `/approvals/${seed.approval}` },
  { name: 'dashboard', path: `/dashboards/${seed.dashboard}` },
  { name: 'dashboard-edit', path: `/dashboards/edit/${seed.dashboard}` },
  { name: 'linkage-edit', path: `/activities/linkage/edit/${seed.linkage}` },
  { name: 'webhook', path: `/webhooks/${seed.webhook}` },
  { name: 'set-password', path: '/setNewPassword/ada.arnold0' },
];

/** Opens a step of the list, and scrolls the field with this label into view. */
const openStep =
  (step: string, label: RegExp): NonNullable<Screen['open']> =>
  async (page) => {
    await page.getByRole('button', { name: step, exact: true }).click();
    await page
      .getByLabel(label)
      .first()
      .evaluate((element) => element.scrollIntoView({ block: 'center' }));
  };

const ofReview = ({ review, refusedReview, waitingReview, reviewApproval }: LargeSeed): Screen[] => [
  { name: 'review-edit', path: `/workflows/edit/${review}` },
  {
    name: 'review-edit-rows',
    path: `/workflows/edit/${review}?view=list`,
    open: openStep('Check each position', /^(Name rows by|Zeilen benennen nach)/),
  },
  {
    name: 'review-edit-repeat',
    path: `/workflows/edit/${review}?view=list`,
    open: openStep('Collect accruals', /^(Run it again if|Erneut ausführen, wenn)/),
  },
  {
    name: 'review-edit-approval',
    path: `/workflows/edit/${review}?view=list`,
    open: openStep('Approve what is above its limit', /^(Required approvals|Erforderliche Freigaben)/),
  },
  { name: 'review-refused', path: `/workflows/runstatus/${refusedReview}` },
  { name: 'review-again', path: `/workflows/runstatus/${refusedReview}/again/` },
  {
    name: 'review-drawing',
    path: `/workflows/runstatus/${refusedReview}`,
    open: scrollTo(/^(Drawing|Zeichnung)$/),
  },
  { name: 'review-rows', path: `/workflows/runstatus/${refusedReview}`, open: press(/^(Rows|Zeilen)$/) },
  { name: 'review-waiting', path: `/workflows/runstatus/${waitingReview}` },
  { name: 'review-approval', path: `/approvals/${reviewApproval}` },
  { name: 'review-history', path: `/checklists/runhistory/${review}` },
];

export const screensOf = (seed: LargeSeed): Screen[] => [
  ...EVERYDAY,
  ...ofActivity(seed),
  ...workflowScreens(seed),
  ...ofReview(seed),
  ...automation(seed),
  ...ADMINISTRATION,
];
