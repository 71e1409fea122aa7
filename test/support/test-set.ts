/**
 * The two sets of tests. `npm test` tests every capability once. `npm run test:all` runs everything, including files
 * named `*.full.test.ts`, with more rounds of randomized tests.
 */
export const isFullSet = process.env['RUNSHEET_TEST_SET'] === 'all';

/** True if the test databases are on a SQL Server. */
export const isOnSqlServer = process.env['RUNSHEET_TEST_DATABASE_URL']?.startsWith('mssql:') === true;

/** Number of rounds of a repeated test: twice as many in the full set, unless `full` says otherwise. */
export const rounds = (normal: number, full = 2 * normal): number => (isFullSet ? full : normal);
