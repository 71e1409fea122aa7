import { t } from '#renderer/language/translate.ts';

/** One sentence about each page of the page Administration, by its path. */
export const ABOUT: Readonly<Record<string, string>> = {
  '/users/': t('Who can sign in, with passwords, API keys and sign-in methods.'),
  '/newuser/': t('Create an account, or take one from your directory.'),
  '/newusers/': t('Paste addresses or choose a file, select roles, and check the list before users are created.'),
  '/roles/': t('Groups of users who get the same rights.'),
  '/rights/': t('What users, roles and visitors may do, and with which objects.'),
  '/securityMatrix': t('Every right that each user and role has, and why.'),
  '/securityActions': t('Who changed users, roles and rights, and when.'),
  '/accessRequests': t('Who asked for access to your activities.'),
  '/accessReasons': t('Why a person has or lacks access to an activity, and what would change that.'),
  '/setup': t('Mail, sign-in, address, backups and files: what is set up, and whether it works.'),
  '/schemas': t('The sections into which activities and checklists are sorted.'),
  '/holidayCalendars': t('The days on which schedules wait or skip a run.'),
  '/offlineReading': t('What the desktop client may show without the server.'),
  '/activities/versions/all': t('The workbooks of all activities, version by version.'),
  '/activities/purgeRunData': t('How much space old runs use, and how to free it.'),
  '/system': t('Servers, queue and background work; maintenance.'),
  '/renewLicense': t('To whom the portal is licensed, and until when.'),
};
