/**
 * `npm run test:mssql`: runs every suite of the server that uses a database on the SQL Server of
 * RUNSHEET_TEST_MSSQL_URL. The login must be allowed to create databases. Further arguments select files, as for
 * vitest. Ends with the skipped tests by reason.
 */
import { startVitest } from 'vitest/node';
import { printSkipped, SkippedTests } from './skipped-tests.ts';
import { sqlServerSuites } from './sql-server-suites.ts';

if (!process.env['RUNSHEET_TEST_MSSQL_URL']) {
  console.error(
    'RUNSHEET_TEST_MSSQL_URL is not set: mssql://USER:PASSWORD@HOST:1433/master, with a login that may create databases',
  );
  process.exit(1);
}
process.env['RUNSHEET_TEST_SET'] = 'all';

const chosen = process.argv.slice(2);
const { run, skipped } = sqlServerSuites(true);
if (chosen.length > 0 && !run.some((file) => chosen.some((part) => file.includes(part)))) {
  console.error(`no suite with a database has a name that contains ${chosen.join(' or ')}`);
  process.exit(1);
}
const vitest = await startVitest('test', chosen, {
  watch: false,
  project: ['sql-server'],
  reporters: ['default', new SkippedTests()],
});
printSkipped(skipped);
await vitest.close();
