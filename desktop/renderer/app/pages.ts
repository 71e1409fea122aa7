import { t } from '#renderer/language/translate.ts';
import { ADMINISTRATION_PAGES } from './administration-pages.ts';
import type { PortalPage } from './portal-page.ts';

export const ADMINISTRATION_PATH = '/administration';

/** The pages offered in the side menu, the page Administration and the command palette. */
export const PAGES: readonly PortalPage[] = [
  { title: t('Activities'), path: '/activities/', isReadable: true, icon: 'activities', section: 'activities' },
  {
    title: t('Status of Running Activities'),
    tab: t('Running now'),
    path: '/activities/runstatus',
    isReadable: true,
    icon: 'running',
    section: 'runs',
  },
  {
    title: t('Activity History'),
    tab: t('History'),
    path: '/activities/runhistory',
    isReadable: true,
    icon: 'history',
    section: 'runs',
  },
  { title: t('Outbox'), path: '/outbox', isReadable: true, icon: 'outbox', isOfOutbox: true, section: 'runs' },
  {
    title: t('Approvals'),
    path: '/approvals',
    isReadable: true,
    icon: 'approvals',
    isForApprovers: true,
    section: 'runs',
    covers: /^\/approvals\//,
  },
  {
    title: t('Schedules'),
    path: '/schedules',
    isReadable: true,
    icon: 'schedules',
    right: ['sk.EditActivity', 'sk.EditChecklist', 'sk.ViewRuns'],
    section: 'automation',
  },
  {
    title: t('Triggers'),
    path: '/triggers',
    icon: 'triggers',
    right: ['sk.EditActivity', 'sk.EditChecklist'],
    section: 'automation',
  },
  {
    title: t('Alerts'),
    path: '/alerts',
    icon: 'alerts',
    section: 'automation',
    covers: /^\/alerts\//,
  },
  {
    title: t('Webhooks'),
    path: '/webhooks',
    icon: 'webhooks',
    isForUserAdmins: true,
    section: 'automation',
    covers: /^\/webhooks\//,
  },
  { title: t('Dashboards'), path: '/dashboards', icon: 'dashboards', section: 'dashboards' },
  { title: t('Table Views'), path: '/tableviews', icon: 'tableViews', right: 'sk.ViewTable', section: 'data' },
  { title: t('New activity'), path: '/activities/new/', icon: 'new', right: 'sk.CreateActivity', section: 'new' },
  { title: t('New checklist'), path: '/checklists/new', icon: 'new', right: 'sk.EditChecklist', section: 'new' },
  { title: t('New workflow'), path: '/workflows/new', icon: 'new', right: 'sk.EditChecklist', section: 'new' },
  { title: t('Import workflow'), path: '/workflows/import', icon: 'new', right: 'sk.EditChecklist', section: 'new' },
  { title: t('New table view'), path: '/tableviews/new', icon: 'new', right: 'sk.ManageTableViews', section: 'new' },
  { title: t('Administration'), path: ADMINISTRATION_PATH, icon: 'administration', section: 'administration' },
  ...ADMINISTRATION_PAGES,
  { title: t('Notifications'), path: '/notifications', isReadable: true, icon: 'notifications' },
  { title: t('Notification settings'), path: '/notifications/settings', icon: 'notifications' },
  { title: t('Excel add-in'), path: '/excelAddIn', icon: 'addIn' },
  { title: t('Sessions'), path: '/sessions', icon: 'sessions' },
  { title: t('Two-step sign-in'), path: '/secondfactor', icon: 'secondFactor', isForLocalUsers: true },
  { title: t('Change Password'), path: '/changepassword', icon: 'key', isForLocalUsers: true },
];
