import { t } from '#renderer/language/translate.ts';
import type { AdministrationGroup, PortalPage } from './portal-page.ts';

type AdministrationPage = Omit<PortalPage, 'section' | 'group'>;

/** The pages of one group of the page Administration. */
const grouped = (group: AdministrationGroup, pages: readonly AdministrationPage[]): PortalPage[] =>
  pages.map((page) => ({ ...page, section: 'administration', group }));

/** The pages behind the page Administration. A group of which the user may open nothing is not shown. */
export const ADMINISTRATION_PAGES: readonly PortalPage[] = [
  ...grouped('People', [
    {
      title: t('Users'),
      path: '/users/',
      icon: 'users',
      right: ['sk.ManageUsers', 'sk.ManageUserPasswords'],
      about: t('Who can sign in, with passwords, API keys and sign-in methods.'),
      covers: /^\/(edituser|userapikeys|setNewPassword)\//,
    },
    {
      title: t('New User'),
      path: '/newuser/',
      icon: 'newUser',
      right: 'sk.ManageUsers',
      about: t('Create an account, or take one from your directory.'),
    },
  ]),
  ...grouped('Access', [
    {
      title: t('Roles'),
      path: '/roles/',
      icon: 'roles',
      right: 'sk.ManageRoles',
      about: t('Groups of users who get the same rights.'),
      covers: /^\/roles\//,
    },
    {
      title: t('Rights'),
      path: '/rights/',
      icon: 'rights',
      right: 'sk.ManageRights',
      about: t('What users, roles and visitors may do, and with which objects.'),
      covers: /^\/rights\//,
    },
    {
      title: t('Security Matrix'),
      path: '/securityMatrix',
      icon: 'matrix',
      right: 'sk.ViewSecurityMatrix',
      about: t('Every right that each user and role has, and why.'),
    },
    {
      title: t('Security Actions'),
      path: '/securityActions',
      icon: 'actions',
      right: 'sk.ViewSecurityActions',
      about: t('Who changed users, roles and rights, and when.'),
    },
  ]),
  ...grouped('Setup', [
    {
      title: t('Schemas'),
      path: '/schemas',
      icon: 'schemas',
      isForUserAdmins: true,
      about: t('The sections into which activities and checklists are sorted.'),
    },
    {
      title: t('Holiday calendars'),
      path: '/holidayCalendars',
      icon: 'schedules',
      isForUserAdmins: true,
      about: t('The days on which schedules wait or skip a run.'),
    },
    {
      title: t('Offline reading'),
      path: '/offlineReading',
      icon: 'offline',
      isForUserAdmins: true,
      about: t('What the desktop client may show without the server.'),
    },
  ]),
  ...grouped('Data and retention', [
    {
      title: t('Versions'),
      path: '/activities/versions/all',
      icon: 'versions',
      menuRight: ['sk.EditActivity', 'sk.CreateActivity', 'sk.PurgeRuns'],
      about: t('The workbooks of all activities, version by version.'),
    },
    {
      title: t('Purge Activity Run Data'),
      path: '/activities/purgeRunData',
      icon: 'purge',
      right: 'sk.PurgeRuns',
      about: t('How much space old runs take, and how to free it.'),
    },
  ]),
  ...grouped('System', [
    {
      title: t('System'),
      path: '/system',
      icon: 'system',
      isForUserAdmins: true,
      about: t('Servers, queue and background work; maintenance.'),
    },
    {
      title: t('Renew License'),
      path: '/renewLicense',
      icon: 'license',
      isForUserAdmins: true,
      about: t('Whom the portal is licensed to, and until when.'),
    },
  ]),
];
