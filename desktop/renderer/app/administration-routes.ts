import type { RouteObject } from 'react-router-dom';
import { page } from './page-route.ts';

/** Users, roles, rights and security. Paths follow the specification of security. */
export const ADMINISTRATION: RouteObject[] = [
  page('administration', async () => (await import('./AdministrationPage.tsx')).AdministrationPage),
  page('seeas/:id', async () => (await import('#renderer/features/see-as/SeeAsPage.tsx')).SeeAsPage),
  page('users', async () => (await import('#renderer/features/users/UsersPage.tsx')).UsersPage),
  page('newuser', async () => (await import('#renderer/features/users/NewUserPage.tsx')).NewUserPage),
  page('newusers', async () => (await import('#renderer/features/user-import/AddUsersPage.tsx')).AddUsersPage),
  page('edituser/:id', async () => (await import('#renderer/features/users/EditUserPage.tsx')).EditUserPage),
  page(
    'setNewPassword/:name',
    async () => (await import('#renderer/features/users/SetNewPasswordPage.tsx')).SetNewPasswordPage,
  ),
  page('userapikeys/:id', async () => (await import('#renderer/features/users/UserApiKeysPage.tsx')).UserApiKeysPage),
  page(
    'holidayCalendars',
    async () => (await import('#renderer/features/schedules/holidays/HolidayCalendarsPage.tsx')).HolidayCalendarsPage,
  ),
  page('roles', async () => (await import('#renderer/features/roles/RolesPage.tsx')).RolesPage),
  page('roles/:roleName', async () => (await import('#renderer/features/roles/RolePage.tsx')).RolePage),
  page('rights', async () => (await import('#renderer/features/rights/RightsPage.tsx')).RightsPage),
  page('rights/new', async () => (await import('#renderer/features/rights/NewRightPage.tsx')).NewRightPage),
  page(
    'rights/edit/:name/:keyColumnName?',
    async () => (await import('#renderer/features/rights/EditRightPage.tsx')).EditRightPage,
  ),
  page('rights/assign/:rightName', loadAssign),
  page('rights/assign/:rightName/:keyColumnName/:keyColumnValue', loadAssign),
  page(
    'rights/refine/:rightName/:keyColumnName',
    async () => (await import('#renderer/features/rights/RefineRightPage.tsx')).RefineRightPage,
  ),
  page('rights/assignInternetRights/:rightName', loadInternet),
  page('rights/assignInternetRights/:rightName/:keyColumnName/:keyColumnValue', loadInternet),
  page(
    'securityMatrix',
    async () => (await import('#renderer/features/security/SecurityMatrixPage.tsx')).SecurityMatrixPage,
  ),
  page(
    'securityActions',
    async () => (await import('#renderer/features/security/SecurityActionsPage.tsx')).SecurityActionsPage,
  ),
  page(
    'offlineReading',
    async () => (await import('#renderer/features/offline/OfflineReadingPage.tsx')).OfflineReadingPage,
  ),
  page('webhooks', async () => (await import('#renderer/features/webhooks/WebhooksPage.tsx')).WebhooksPage),
  page('webhooks/new', async () => (await import('#renderer/features/webhooks/WebhookPage.tsx')).NewWebhookPage),
  page('webhooks/:id', async () => (await import('#renderer/features/webhooks/WebhookPage.tsx')).WebhookPage),
  page('schemas', async () => (await import('#renderer/features/schemas/SchemasPage.tsx')).SchemasPage),
  page('system', async () => (await import('#renderer/features/system/SystemPage.tsx')).SystemPage),
  page('setup', async () => (await import('#renderer/features/setup/SetupPage.tsx')).SetupPage),
  page('renewLicense', async () => (await import('#renderer/features/license/RenewLicensePage.tsx')).RenewLicensePage),
];

async function loadAssign() {
  return (await import('#renderer/features/rights/AssignRightPage.tsx')).AssignRightPage;
}

async function loadInternet() {
  return (await import('#renderer/features/rights/AssignInternetRightsPage.tsx')).AssignInternetRightsPage;
}
