import type { RightName } from '#shared/contract/rights.ts';

/** The pages with an address of their own: what the side menu and the command palette offer. Only what is finished is here. */
export interface PortalPage {
  title: string;
  path: string;
  icon:
    | 'activities'
    | 'approvals'
    | 'running'
    | 'history'
    | 'versions'
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
    | 'plugin';
  /** Shown only to those who hold it, or one of them, for something. */
  right?: RightName | readonly RightName[];
  /** Heading in the side menu, under which pages of the same group stand. */
  group?: 'Security' | 'Plugins';
  /** Of a page of another program: where it is loaded from. */
  address?: string;
  /** Stands indented below the page before it. */
  isNested?: boolean;
  /** Only for those whom approvals were ever for. */
  isForApprovers?: boolean;
  /** How many things wait there for the person; shown where there are any. */
  count?: number;
  /** Only for administrators of users. */
  isForUserAdmins?: boolean;
  /** Only in the palette, and only for users whose password the portal keeps. */
  isForLocalUsers?: boolean;
}

export const PAGES: readonly PortalPage[] = [
  { title: 'Activities', path: '/activities/', icon: 'activities' },
  { title: 'Status of Running Activities', path: '/activities/runstatus', icon: 'running' },
  { title: 'Activity History', path: '/activities/runhistory', icon: 'history' },
  { title: 'Approvals', path: '/approvals', icon: 'approvals', isForApprovers: true },
  { title: 'Versions', path: '/activities/versions/all', icon: 'versions' },
  { title: 'Table Views', path: '/tableviews', icon: 'tableViews', right: 'sk.ViewTable' },
  { title: 'Purge Activity Run Data', path: '/activities/purgeRunData', icon: 'purge', right: 'sk.PurgeRuns' },
  { title: 'New Activity', path: '/activities/new/', icon: 'new', right: 'sk.CreateActivity' },
  { title: 'New Checklist', path: '/checklists/new', icon: 'new', right: 'sk.EditChecklist' },
  {
    title: 'Users',
    path: '/users/',
    icon: 'users',
    right: ['sk.ManageUsers', 'sk.ManageUserPasswords'],
    group: 'Security',
  },
  { title: 'New User', path: '/newuser/', icon: 'newUser', right: 'sk.ManageUsers', group: 'Security', isNested: true },
  { title: 'Roles', path: '/roles/', icon: 'roles', right: 'sk.ManageRoles', group: 'Security' },
  { title: 'Rights', path: '/rights/', icon: 'rights', right: 'sk.ManageRights', group: 'Security' },
  {
    title: 'Security Matrix',
    path: '/securityMatrix',
    icon: 'matrix',
    right: 'sk.ViewSecurityMatrix',
    group: 'Security',
  },
  {
    title: 'Security Actions',
    path: '/securityActions',
    icon: 'actions',
    right: 'sk.ViewSecurityActions',
    group: 'Security',
  },
  { title: 'Renew License', path: '/renewLicense', icon: 'license', group: 'Security', isForUserAdmins: true },
  { title: 'Change Password', path: '/changepassword', icon: 'key', isForLocalUsers: true },
];
