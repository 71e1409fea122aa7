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
      covers: /^\/(edituser|seeas|userapikeys|setNewPassword)\//,
    },
    {
      title: t('New User'),
      path: '/newuser/',
      icon: 'newUser',
      right: 'sk.ManageUsers',
    },
    {
      title: t('Add several users'),
      path: '/newusers/',
      icon: 'newUser',
      right: 'sk.ManageUsers',
    },
  ]),
  ...grouped('Access', [
    {
      title: t('Roles'),
      path: '/roles/',
      icon: 'roles',
      right: 'sk.ManageRoles',
      covers: /^\/roles\//,
    },
    {
      title: t('Rights'),
      path: '/rights/',
      icon: 'rights',
      right: 'sk.ManageRights',
      covers: /^\/rights\//,
    },
    {
      title: t('Security Matrix'),
      path: '/securityMatrix',
      icon: 'matrix',
      right: 'sk.ViewSecurityMatrix',
    },
    {
      title: t('Security Actions'),
      path: '/securityActions',
      icon: 'actions',
      right: 'sk.ViewSecurityActions',
    },
    {
      title: t('Access requests'),
      path: '/accessRequests',
      icon: 'key',
      right: ['sk.EditActivity', 'sk.ManageRights'],
    },
    {
      title: t('Check access'),
      path: '/accessReasons',
      icon: 'key',
      right: ['sk.ViewSecurityMatrix', 'sk.ManageRights', 'sk.EditActivity'],
    },
  ]),
  ...grouped('Setup', [
    {
      title: t('Setup'),
      path: '/setup',
      icon: 'setup',
      isForUserAdmins: true,
    },
    {
      title: t('Schemas'),
      path: '/schemas',
      icon: 'schemas',
      isForUserAdmins: true,
    },
    {
      title: t('Holiday calendars'),
      path: '/holidayCalendars',
      icon: 'schedules',
      isForUserAdmins: true,
    },
    {
      title: t('Offline reading'),
      path: '/offlineReading',
      icon: 'offline',
      isForUserAdmins: true,
    },
  ]),
  ...grouped('Data and retention', [
    {
      title: t('Versions'),
      path: '/activities/versions/all',
      icon: 'versions',
      menuRight: ['sk.EditActivity', 'sk.CreateActivity', 'sk.PurgeRuns'],
    },
    {
      title: t('Purge Activity Run Data'),
      path: '/activities/purgeRunData',
      icon: 'purge',
      right: 'sk.PurgeRuns',
    },
  ]),
  ...grouped('System', [
    {
      title: t('System'),
      path: '/system',
      icon: 'system',
      isForUserAdmins: true,
    },
    {
      title: t('Renew License'),
      path: '/renewLicense',
      icon: 'license',
      isForUserAdmins: true,
    },
  ]),
];
