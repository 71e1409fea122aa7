/** Maps pages of the portal to sections of the documentation. */
import type { HelpPage } from './help-page.ts';

/** The documentation pages for users of the portal; each is a separate file that is fetched on demand. */
export const HELP_PAGES: Readonly<Record<string, () => Promise<{ default: HelpPage }>>> = {
  administration: () => import('virtual:help/administration'),
  alerts: () => import('virtual:help/alerts'),
  approvals: () => import('virtual:help/approvals'),
  batches: () => import('virtual:help/batches'),
  checklists: () => import('virtual:help/checklists'),
  dashboards: () => import('virtual:help/dashboards'),
  desktop: () => import('virtual:help/desktop'),
  'excel-add-in': () => import('virtual:help/excel-add-in'),
  'making-procedure-activities': () => import('virtual:help/making-procedure-activities'),
  running: () => import('virtual:help/running'),
  'running-activities': () => import('virtual:help/running-activities'),
  'sample-database': () => import('virtual:help/sample-database'),
  schedules: () => import('virtual:help/schedules'),
  operating: () => import('virtual:help/operating'),
  'sign-in': () => import('virtual:help/sign-in'),
  'table-views': () => import('virtual:help/table-views'),
  triggers: () => import('virtual:help/triggers'),
  webhooks: () => import('virtual:help/webhooks'),
  'test-beds': () => import('virtual:help/test-beds'),
  workbooks: () => import('virtual:help/workbooks'),
  workflows: () => import('virtual:help/workflows'),
};

export interface HelpTopic {
  page: string;
  section: string;
}

/** The first match wins. */
const TOPICS: readonly [path: RegExp, page: string, section: string][] = [
  [/^\/activities\/new/, 'workbooks', 'publish-a-workbook-in-five-minutes'],
  [/^\/activities\/access\//, 'administration', 'share-an-activity'],
  [/^\/activities\/edit\//, 'workbooks', 'upload-a-new-version'],
  [/^\/activities\/versions\//, 'workbooks', 'upload-a-new-version'],
  [/^\/activities\/testbed\/\d+\/case\//, 'test-beds', 'create-a-case'],
  [/^\/activities\/testbed\//, 'test-beds', 'find-the-test-cases'],
  [/^\/activities\/follow\//, 'dashboards', 'follow-an-output'],
  [/^\/activities\/batch\//, 'batches', 'start-a-batch'],
  [/^\/activities\/linkage\//, 'workbooks', 'link-activities'],
  [/^\/(activities|checklists)\/schedule\/further/, 'schedules', 'add-schedules'],
  [/^\/((activities|checklists)\/)?triggers/, 'triggers', 'add-a-trigger'],
  [/^\/holidayCalendars/, 'schedules', 'set-up-holiday-calendars'],
  [/^\/activities\/schedule\//, 'running', 'run-an-activity-every-day'],
  [/^\/schedules/, 'running', 'see-what-runs-when'],
  [/^\/activities\/runretention\//, 'running', 'set-how-long-runs-are-stored'],
  [/^\/activities\/purgeRunData/i, 'running', 'purge-runs-by-hand'],
  [/^\/notifications\/settings/, 'alerts', 'choose-what-you-are-notified-of'],
  [/^\/alerts\/firings/, 'alerts', 'choose-who-is-notified'],
  [/^\/alerts/, 'alerts', 'create-a-rule-for-many-activities'],
  [/^\/(activities|checklists)\/alerts/, 'alerts', 'create-an-alert'],
  [/^\/notifications/, 'running', 'read-notifications'],
  [/^\/activities\/run\//, 'running-activities', 'start-a-run'],
  [/^\/activities\/(runhistory|runcompare)/, 'running-activities', 'looking-back'],
  [/^\/activities\/runstatus\/?$/, 'running', 'whose-run-is-next'],
  [/^\/activities\/runstatus\//, 'running-activities', 'looking-back'],
  [/^\/activities\/\d+/, 'running-activities', 'the-home-of-an-activity'],
  [/^\/activities/, 'running-activities', 'find-an-activity'],
  [/^\/(checklists|workflows)\/runstatus\/\d+\/again/, 'workflows', 'run-again-from-a-step'],
  [/^\/checklists\/(new|edit)/, 'checklists', 'create-and-change-a-checklist'],
  [/^\/checklists\/schedule/, 'checklists', 'run-a-checklist-automatically'],
  [/^\/checklists\/(runretention|runhistory)/, 'checklists', 'set-how-long-runs-are-stored-and-purge-runs'],
  [/^\/checklists/, 'checklists', 'run-a-checklist'],
  [/^\/workflows\/(new|edit|import|versions)/, 'workflows', 'create-and-edit-a-workflow'],
  [/^\/workflows/, 'workflows', 'run-a-workflow'],
  [/^\/dashboards\/edit/, 'dashboards', 'create-and-arrange-a-dashboard'],
  [/^\/dashboards/, 'dashboards', 'what-a-tile-shows'],
  [/^\/approvals/, 'approvals', 'decide'],
  [/^\/tableviews\/(new|edit)/, 'table-views', 'create-and-change-a-table-view'],
  [/^\/tableviews/, 'table-views', 'view-a-table'],
  [/^\/(users|newuser|edituser|userapikeys|setNewPassword)/, 'administration', 'users'],
  [/^\/roles/, 'administration', 'roles'],
  [/^\/rights/, 'administration', 'rights'],
  [/^\/securityMatrix/, 'administration', 'security-matrix'],
  [/^\/accessRequests/, 'administration', 'requests-for-access'],
  [/^\/(accessReasons|seeas)/, 'administration', 'explain-access'],
  [/^\/securityActions/, 'administration', 'security-actions'],
  [/^\/(offlineReading|sessions|secondfactor|changepassword)/, 'administration', 'users'],
  [/^\/webhooks/, 'webhooks', 'set-one-up'],
  [/^\/schemas/, 'administration', 'schemas'],
  [/^\/administration/, 'administration', 'find-your-way'],
  [/^\/system/, 'operating', 'the-page-system'],
  [/^\/excelAddIn/, 'excel-add-in', 'get-it-into-excel'],
  [/^\/outbox/, 'desktop', 'work-while-the-server-is-away'],
];

const FIRST: HelpTopic = { page: 'running-activities', section: 'find-an-activity' };

export function topicOf(path: string): HelpTopic {
  const found = TOPICS.find(([pattern]) => pattern.test(path));
  return found ? { page: found[1], section: found[2] } : FIRST;
}

/** All topics, for the test that checks them against the documentation. */
export const ALL_TOPICS: readonly HelpTopic[] = [FIRST, ...TOPICS.map(([, page, section]) => ({ page, section }))];

/** Returns the topic that a link in the documentation leads to; null if it leads out of the help. */
export function topicOfLink(to: string, page: string): HelpTopic | null {
  const [, file = page, section = ''] = /^(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(to) ?? [];
  if (!/^(?:[\w-]+\.md)?(?:#[\w-]+)?$/.test(to) || !Object.hasOwn(HELP_PAGES, file)) return null;
  return { page: file, section };
}
