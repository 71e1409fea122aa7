import type { RightName } from '#shared/contract/rights.ts';
import { t } from '#renderer/language/translate.ts';

/** The pages offered in the side menu and the command palette. */
export interface PortalPage {
  title: string;
  path: string;
  icon:
    | 'activities'
    | 'dashboards'
    | 'approvals'
    | 'running'
    | 'history'
    | 'versions'
    | 'schedules'
    | 'triggers'
    | 'notifications'
    | 'purge'
    | 'tableViews'
    | 'new'
    | 'key'
    | 'users'
    | 'newUser'
    | 'roles'
    | 'rights'
    | 'matrix'
    | 'actions'
    | 'license'
    | 'schemas'
    | 'system'
    | 'setup'
    | 'webhooks'
    | 'offline'
    | 'outbox'
    | 'sessions'
    | 'secondFactor'
    | 'addIn'
    | 'plugin';
  /** Shown only to users who hold this right, or one of these rights, for at least one object. */
  right?: RightName | readonly RightName[];
  /** Heading in the side menu that groups pages. */
  group?: 'Security' | 'Plugins';
  /** For a page of another program: the address it is loaded from. */
  address?: string;
  /** True to indent it below the preceding page. */
  isNested?: boolean;
  /** True to show it only to users who ever had an approval to decide. */
  isForApprovers?: boolean;
  /** True if the page works without the server, at least for what was opened before. */
  isReadable?: boolean;
  /** True to show it only where starts can wait on the user's computer. */
  isOfOutbox?: boolean;
  /** Number of things that wait there for the user; shown if above 0. */
  count?: number;
  /** True to show it only to administrators of users. */
  isForUserAdmins?: boolean;
  /** True if it is not in the side menu because the top bar links to it. */
  isOnlyInPalette?: boolean;
  /** True to show it only to users with a local password. */
  isForLocalUsers?: boolean;
}

export const PAGES: readonly PortalPage[] = [
  { title: t('Activities'), path: '/activities/', isReadable: true, icon: 'activities' },
  { title: t('Dashboards'), path: '/dashboards', icon: 'dashboards' },
  { title: t('Status of Running Activities'), path: '/activities/runstatus', isReadable: true, icon: 'running' },
  { title: t('Activity History'), path: '/activities/runhistory', isReadable: true, icon: 'history' },
  { title: t('Outbox'), path: '/outbox', isReadable: true, icon: 'outbox', isOfOutbox: true },
  { title: t('Approvals'), path: '/approvals', isReadable: true, icon: 'approvals', isForApprovers: true },
  {
    title: t('Schedules'),
    path: '/schedules',
    isReadable: true,
    icon: 'schedules',
    right: ['sk.EditActivity', 'sk.EditChecklist', 'sk.ViewRuns'],
  },
  { title: t('Triggers'), path: '/triggers', icon: 'triggers', right: ['sk.EditActivity', 'sk.EditChecklist'] },
  { title: t('Versions'), path: '/activities/versions/all', icon: 'versions' },
  { title: t('Table Views'), path: '/tableviews', icon: 'tableViews', right: 'sk.ViewTable' },
  { title: t('Purge Activity Run Data'), path: '/activities/purgeRunData', icon: 'purge', right: 'sk.PurgeRuns' },
  { title: t('New activity'), path: '/activities/new/', icon: 'new', right: 'sk.CreateActivity' },
  { title: t('New checklist'), path: '/checklists/new', icon: 'new', right: 'sk.EditChecklist' },
  {
    title: t('Users'),
    path: '/users/',
    icon: 'users',
    right: ['sk.ManageUsers', 'sk.ManageUserPasswords'],
    group: 'Security',
  },
  {
    title: t('New User'),
    path: '/newuser/',
    icon: 'newUser',
    right: 'sk.ManageUsers',
    group: 'Security',
    isNested: true,
  },
  { title: t('Roles'), path: '/roles/', icon: 'roles', right: 'sk.ManageRoles', group: 'Security' },
  { title: t('Rights'), path: '/rights/', icon: 'rights', right: 'sk.ManageRights', group: 'Security' },
  {
    title: t('Security Matrix'),
    path: '/securityMatrix',
    icon: 'matrix',
    right: 'sk.ViewSecurityMatrix',
    group: 'Security',
  },
  {
    title: t('Security Actions'),
    path: '/securityActions',
    icon: 'actions',
    right: 'sk.ViewSecurityActions',
    group: 'Security',
  },
  { title: t('Webhooks'), path: '/webhooks', icon: 'webhooks', group: 'Security', isForUserAdmins: true },
  { title: t('Schemas'), path: '/schemas', icon: 'schemas', group: 'Security', isForUserAdmins: true },
  { title: t('System'), path: '/system', icon: 'system', group: 'Security', isForUserAdmins: true },
  { title: t('Setup'), path: '/setup', icon: 'setup', group: 'Security', isForUserAdmins: true },
  {
    title: t('Holiday calendars'),
    path: '/holidayCalendars',
    icon: 'schedules',
    group: 'Security',
    isForUserAdmins: true,
  },
  { title: t('Offline reading'), path: '/offlineReading', icon: 'offline', group: 'Security', isForUserAdmins: true },
  { title: t('Renew License'), path: '/renewLicense', icon: 'license', group: 'Security', isForUserAdmins: true },
  { title: t('Notifications'), path: '/notifications', isReadable: true, icon: 'notifications', isOnlyInPalette: true },
  { title: t('Notification settings'), path: '/notifications/settings', icon: 'notifications', isOnlyInPalette: true },
  {
    title: t('Add several users'),
    path: '/newusers/',
    icon: 'newUser',
    right: 'sk.ManageUsers',
    isOnlyInPalette: true,
  },
  {
    title: t('Access requests'),
    path: '/accessRequests',
    icon: 'key',
    right: ['sk.EditActivity', 'sk.ManageRights'],
    isOnlyInPalette: true,
  },
  {
    title: t("Why can or can't somebody …?"),
    path: '/accessReasons',
    icon: 'key',
    right: ['sk.ViewSecurityMatrix', 'sk.ManageRights', 'sk.EditActivity'],
    isOnlyInPalette: true,
  },
  { title: t('Excel add-in'), path: '/excelAddIn', icon: 'addIn', isOnlyInPalette: true },
  { title: t('Sessions'), path: '/sessions', icon: 'sessions', isOnlyInPalette: true },
  {
    title: t('Two-step sign-in'),
    path: '/secondfactor',
    icon: 'secondFactor',
    isOnlyInPalette: true,
    isForLocalUsers: true,
  },
  { title: t('Change Password'), path: '/changepassword', icon: 'key', isOnlyInPalette: true, isForLocalUsers: true },
];
