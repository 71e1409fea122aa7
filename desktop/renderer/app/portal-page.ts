import type { RightName } from '#shared/contract/rights.ts';

/** Entries of the side menu, from top to bottom. */
export type MenuSectionName =
  | 'activities'
  | 'runs'
  | 'automation'
  | 'dashboards'
  | 'data'
  | 'new'
  | 'plugins'
  | 'administration';

/** Groups of the page Administration, from top to bottom. */
export const ADMINISTRATION_GROUPS = ['People', 'Access', 'Setup', 'Data and retention', 'System'] as const;
export type AdministrationGroup = (typeof ADMINISTRATION_GROUPS)[number];

/** The pages offered in the side menu, the page Administration and the command palette. */
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
    | 'alerts'
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
    | 'administration'
    | 'plugin';
  /** Shown only to users who hold this right, or one of these rights, for at least one object. */
  right?: RightName | readonly RightName[];
  /** Entry of the side menu that leads to the page. Without one, only the command palette and the top bar do. */
  section?: MenuSectionName;
  /** Heading on the page Administration. */
  group?: AdministrationGroup;
  /** Name on the page's tab, where a word is enough; the title otherwise. */
  tab?: string;
  /** Paths of pages below this one, which show its tabs too. */
  covers?: RegExp;
  /** Shown in the menu only to users who hold one of these rights; the command palette lists it for everybody. */
  menuRight?: readonly RightName[];
  /** For a page of another program: the address it is loaded from. */
  address?: string;
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
  /** True to show it only to users with a local password. */
  isForLocalUsers?: boolean;
}
