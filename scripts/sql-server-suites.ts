/** The suites that run on a SQL Server, as a vitest project if RUNSHEET_TEST_MSSQL_URL is set. See docs/testing.md. */
import { globSync } from 'node:fs';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { hasDatabase } from './files-with-database.ts';

/** Only for another maker's server, which needs a preload anyway. */
const REFUSED_LOCKS = new URL('../test/support/peers/application-locks.ts', import.meta.url).href;

/** One suite for each way in which SQL Server differs. */
const EVERYDAY = [
  'test/dialect/mssql-{client,grammar,statements,tls,write}.test.ts',
  'test/dialect/{product,transactions,values}.test.ts',
  'server/connections/{tables/tables,procedures/calls}.test.ts',
  'server/queue/run-queue.test.ts',
];

/** The full set: every suite of the server that uses a database. */
const FULL = ['server/**/*.test.ts', 'test/{dialect,routes,hostile,faults}/*.test.ts'];

/** Suites with a database that do not apply to SQL Server, with the reason. */
const SKIPPED: [files: RegExp, reason: string][] = [
  [/^server\/db\/embedded\//, 'tests the embedded PostgreSQL itself'],
  [/^test\/faults\/restart/, 'kills the embedded PostgreSQL'],
  [
    /^test\/faults\/schedules/,
    'moves the time of a database by functions of PostgreSQL; server/automation/schedules runs instead',
  ],
];
const reasonToSkip = (file: string): string | undefined => SKIPPED.find(([files]) => files.test(file))?.[1];

const find = (patterns: readonly string[]): string[] =>
  patterns
    .flatMap((pattern) => globSync(pattern))
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();

interface Suites {
  run: string[];
  /** Files that do not run, each with its reason. */
  skipped: string[];
}

/** Returns the paths of the files, relative to the project root. */
export function sqlServerSuites(isFullSet: boolean): Suites {
  if (!isFullSet) return { run: find(EVERYDAY).filter((file) => !file.endsWith('.full.test.ts')), skipped: [] };
  const files = find(FULL).filter((file) => file.startsWith('test/dialect/') || hasDatabase(file));
  return {
    run: files.filter((file) => reasonToSkip(file) === undefined),
    skipped: files.flatMap((file) => [reasonToSkip(file)].flatMap((why) => (why ? [`${file}: ${why}`] : []))),
  };
}

/** Returns the suites as a vitest project, or none without a server. */
export function sqlServerProjects(isFullSet: boolean): TestProjectInlineConfiguration[] {
  const url = process.env['RUNSHEET_TEST_MSSQL_URL'];
  if (!url) return [];
  const preload = process.env['RUNSHEET_TEST_MSSQL_NODE_OPTIONS'];
  return [
    {
      extends: true,
      test: {
        name: 'sql-server',
        include: sqlServerSuites(isFullSet).run,
        isolate: false,
        env: {
          RUNSHEET_TEST_DATABASE_URL: url,
          ...(preload ? { NODE_OPTIONS: `${preload} --import=${REFUSED_LOCKS}` } : {}),
        },
        // A SQL Server compatible server by another vendor is slower, see test/support/until.ts.
        testTimeout: 240_000,
      },
    },
  ];
}
