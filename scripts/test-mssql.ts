/**
 * `npm run test:mssql`: the suites of the server that use a database, on the SQL Server of RUNSHEET_TEST_MSSQL_URL, as a login that may
 * create databases. Further arguments choose files, as for vitest. Ends with what was skipped or left out, by reasons.
 */
import { globSync } from 'node:fs';
import { startVitest } from 'vitest/node';
import { hasDatabase } from './files-with-database.ts';
import { printLeftOut, SkippedTests } from './skipped-tests.ts';

const url = process.env['RUNSHEET_TEST_MSSQL_URL'];
if (!url) {
  console.error(
    'RUNSHEET_TEST_MSSQL_URL is not set: mssql://USER:PASSWORD@HOST:1433/master, of a login that may create databases',
  );
  process.exit(1);
}

const SUITES = ['server/**/*.test.ts', 'test/{dialect,routes,hostile,faults}/*.test.ts'];

/** Suites with a database that are not about SQL Server, and why. */
const LEFT_OUT: [files: RegExp, reason: string][] = [
  [/^server\/db\/embedded\//, 'the embedded PostgreSQL itself'],
  [/^test\/faults\/restart/, 'kills the embedded PostgreSQL'],
  [/^test\/faults\/schedules/, 'moves the time of a database by functions of PostgreSQL; server/jobs/schedules runs'],
];
const reasonToLeaveOut = (file: string): string | undefined => LEFT_OUT.find(([files]) => files.test(file))?.[1];

const chosen = process.argv.slice(2);
const files = SUITES.flatMap((pattern) => globSync(pattern))
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.includes('dialect') || hasDatabase(file))
  .filter((file) => chosen.length === 0 || chosen.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  // Without files vitest would run all there are.
  console.error(`no suite with a database has a name with ${chosen.join(' or ')} in it`);
  process.exit(1);
}
process.env['RUNSHEET_TEST_DATABASE_URL'] = url;
const run = files.filter((file) => reasonToLeaveOut(file) === undefined);
const vitest = await startVitest('test', run, { watch: false, reporters: ['default', new SkippedTests()] });
printLeftOut(files.flatMap((file) => [reasonToLeaveOut(file)].flatMap((why) => (why ? [`${file}: ${why}`] : []))));
await vitest.close();
