/**
 * `npm run test:mssql`: the suites of the server that use a database, on the SQL Server of RUNSHEET_TEST_MSSQL_URL, as a login that may
 * create databases. Further arguments choose files, as for vitest. Ends with the tests that were skipped, by their reasons.
 */
import { globSync, readFileSync } from 'node:fs';
import { startVitest } from 'vitest/node';
import { SkippedTests } from './skipped-tests.ts';

const url = process.env['RUNSHEET_TEST_MSSQL_URL'];
if (!url) {
  console.error(
    'RUNSHEET_TEST_MSSQL_URL is not set: mssql://USER:PASSWORD@HOST:1433/master, of a login that may create databases',
  );
  process.exit(1);
}

/** What a test imports that has a database of its own. Those that bring up PostgreSQL itself are left out. */
const WITH_DATABASE =
  /#test\/support\/(?:database|app|portal|users|runs|worker-bench|linked-activities|[a-z]+-portal)\.ts|dialect\/targets\.ts/;
const OF_POSTGRES = /^server[\\/]db[\\/]embedded[\\/]/;

const chosen = process.argv.slice(2);
const files = ['server/**/*.test.ts', 'test/dialect/*.test.ts', 'test/routes/*.test.ts', 'test/hostile/*.test.ts']
  .flatMap((pattern) => globSync(pattern))
  .filter(
    (file) => file.includes('dialect') || (!OF_POSTGRES.test(file) && WITH_DATABASE.test(readFileSync(file, 'utf8'))),
  )
  .filter((file) => chosen.length === 0 || chosen.some((part) => file.includes(part)));
process.env['RUNSHEET_TEST_DATABASE_URL'] = url;
const vitest = await startVitest('test', files.sort(), { watch: false, reporters: ['default', new SkippedTests()] });
await vitest.close();
