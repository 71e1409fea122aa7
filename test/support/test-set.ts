/**
 * The two sets of tests. `npm test` proves every capability once. `npm run test:all` runs everything, files named `*.full.test.ts` included, with
 * more rounds of what chance decides.
 */
export const isFullSet = process.env['RUNSHEET_TEST_SET'] === 'all';

/** Whether the databases of the tests are on a SQL Server. */
export const isOnSqlServer = process.env['RUNSHEET_TEST_DATABASE_URL']?.startsWith('mssql:') === true;

/** How many rounds a repeated test runs: twice as many in the full set, unless `full` says otherwise. */
export const rounds = (normal: number, full = 2 * normal): number => (isFullSet ? full : normal);
