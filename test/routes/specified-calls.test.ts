/**
 * The calls named in section 7 of both specifications, listed by hand: a call that loses its route fails here,
 * regardless of the contract.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';

const ACTIVITIES = `
GET /api/activities
GET /api/activities/details/:
GET /api/public/activities/details/:
GET /api/activities/create/allowedSchemas
POST /api/activities/createStoredProcedureActivity
POST /api/activities/update
POST /api/activities/create
GET /api/activities/download/:/:
POST /api/activities/updatepresetvals
POST /api/activities/deletelink
POST /api/activities/writelink
GET /api/activities/linkdetails/:
GET /api/activities/linkedActivityDetails/:
POST /api/activities/picker/:/:/:
POST /api/public/activities/picker/:/:/:
POST /api/activities/start
POST /api/public/activities/start
POST /api/activities/updateui
POST /api/public/activities/updateui
POST /api/files/upload
POST /api/public/files/upload
POST /api/activities/startlink
GET /api/activities/status/:
POST /api/activities/status/:
POST /api/activities/cancel/:
POST /api/activities/cancel/all
POST /api/activities/wakeup
POST /api/activities/retry/:
POST /api/activities/provideinput
GET /api/activities/downloadFiles/:
GET /api/files/download/:
GET /api/activities/output/download/:/:
GET /api/activities/output/download/:/:/:
GET /api/activities/input/download/:/:
GET /api/activities/input/download/:/:/:
GET /api/public/activities/output/download/:/:
GET /api/public/activities/output/download/:/:/:
GET /api/public/activities/input/download/:/:
GET /api/public/activities/input/download/:/:/:
POST /api/activities/outputdata/download/:/:
POST /api/activities/inputdata/download/:/:
GET /api/activities/download/errorreport/:
GET /api/activities/downloadsample/input/:
GET /api/activities/downloadsample/input/:/:
GET /api/public/activities/downloadsample/input/:
GET /api/public/activities/downloadsample/input/:/:
GET /api/activities/downloadsample/token/:
POST /api/activities/purgeSingleRunData/:/:
GET /api/activities/pendingruns
POST /api/activities/versions/all
GET /api/activities/versions/:
POST /api/activities/purgeversionfiles/:/:
GET /api/activities/schedule/:
POST /api/activities/schedule
POST /api/activities/schedule/delete/:
GET /api/activities/runRetention/:
POST /api/activities/runRetention
POST /api/activities/runRetention/delete/:
POST /api/activities/runhistory
GET /api/activities/rundatasize/:
POST /api/activities/purgeRunData/:/:
GET /api/activities/notifications
GET /api/activities/notifications/dismiss/:/:
GET /api/tableviews
GET /api/tableviews/tables
GET /api/tableviews/columns/:
GET /api/tableviews/details/:
POST /api/tableviews/create
POST /api/tableviews/update
POST /api/tableviews/values/:
GET /api/checklists/details/:
POST /api/checklists/create
GET /api/workflows/downloadFiles/:
GET /api/checklists/downloadFiles/:
POST /api/checklists/runhistory
GET /api/checklists/status/:/:
POST /api/checklists/start
GET /api/files/staticFolders`;

const SECURITY = `
POST /token
POST /api/users/generatekey
POST /api/sso/login/:
POST /api/renewtoken
POST /api/sso/refresh/:/:
POST /api/logout
POST /api/ssologouturl/:/:
POST /api/ssourl/:/:
POST /api/sso/config
POST /api/users/profile
POST /api/users/resetpassword/name/:
POST /api/users/changepassword
POST /api/users/resetpassword
POST /api/users/setNewPassword
POST /api/users/resetpassword/id/:
GET /api/users
GET /api/users/userName/:
GET /api/users/profile/:
GET /api/users/ad/profile/:
POST /api/users/create
POST /api/users/update
POST /api/users/enable/:
POST /api/users/disable/:
POST /api/users/delete/:
GET /api/users/rightToManageUsers
GET /api/users/apikeys/:
POST /api/users/apikeys/create/:
POST /api/users/apikeys/delete/:/:
GET /api/roles
GET /api/roles/:
POST /api/roles/create/:
POST /api/roles/:/enable
POST /api/roles/:/disable
POST /api/roles/:/include
POST /api/roles/:/exclude
GET /api/rights
GET /api/rights/:
GET /api/rights/:/:
GET /api/rights/:/:/:
POST /api/rights/:/users/grant
POST /api/rights/:/users/grant/:/:
POST /api/rights/:/users/deny
POST /api/rights/:/users/deny/:/:
POST /api/rights/:/users/delete
POST /api/rights/:/users/delete/:/:
POST /api/rights/:/roles/grant
POST /api/rights/:/roles/grant/:/:
POST /api/rights/:/roles/deny
POST /api/rights/:/roles/deny/:/:
POST /api/rights/:/roles/delete
POST /api/rights/:/roles/delete/:/:
GET /api/rights/internet/:
GET /api/rights/internet/:/:/:
POST /api/rights/:/internet/grant
POST /api/rights/:/internet/grant/:/:
POST /api/rights/:/internet/deny
POST /api/rights/:/internet/deny/:/:
POST /api/rights/:/internet/delete
POST /api/rights/:/internet/delete/:/:
GET /api/rights/userRightList
GET /api/rights/roleRightList
GET /api/rights/internetRightList
POST /api/rights/userRightList/download
POST /api/rights/internetRightList/download
GET /api/rights/securityActionsList/:
POST /api/admin/renewLicense
GET /api/documents/:
GET /api/documents/token/:`;

const calls = (list: string): string[] => list.trim().split('\n');

let app: TestApp;
let registered: Set<string>;

beforeAll(async () => {
  app = await testApp();
  await app.http.ready();
  registered = new Set(app.http.declaredRoutes.map(({ method, url }) => `${method} ${url.replaceAll(/:\w+/g, ':')}`));
});
afterAll(() => app.close());

describe('the specified calls', () => {
  test.each([
    ['of activities and runs', ACTIVITIES],
    ['of security and administration', SECURITY],
  ])('%s are all registered', (_, list) => {
    expect(calls(list).filter((call) => !registered.has(call))).toEqual([]);
  });

  test('may end with a slash', async () => {
    const { statusCode } = await app.http.inject({ url: '/api/activities/pendingruns/' });
    expect(statusCode).toBe(401);
  });
});
