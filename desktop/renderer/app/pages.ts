import type { RightName } from '#shared/contract/rights.ts';

/** The pages with an address of their own: what the side menu and the command palette offer. Only what is finished is here. */
export interface PortalPage {
  title: string;
  path: string;
  icon: 'activities' | 'running' | 'history' | 'versions' | 'new' | 'key';
  /** Shown only to those who hold it for something. */
  right?: RightName;
  /** Only in the palette, and only for users whose password the portal keeps. */
  isForLocalUsers?: boolean;
}

export const PAGES: readonly PortalPage[] = [
  { title: 'Activities', path: '/activities/', icon: 'activities' },
  { title: 'Status of Running Activities', path: '/activities/runstatus', icon: 'running' },
  { title: 'Activity History', path: '/activities/runhistory', icon: 'history' },
  { title: 'Versions', path: '/activities/versions/all', icon: 'versions' },
  { title: 'New Activity', path: '/activities/new/', icon: 'new', right: 'sk.CreateActivity' },
  { title: 'Change Password', path: '/changepassword', icon: 'key', isForLocalUsers: true },
];
