/** The portal as operators run it: the program of `npm start` on a data folder with its embedded PostgreSQL. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isFullSet } from '#test/support/test-set.ts';
import { emptyFolder, startedFolder, type FirstWords } from './data-folder.ts';
import { isReadAtFirstStart, type Portal } from './portal.ts';

const START = fileURLToPath(new URL('../../../scripts/start.js', import.meta.url));

/**
 * Starts the script of `npm start` on its own data folder, where nobody has signed in yet, and waits for its address.
 * `settings` are environment variables.
 */
export async function startPortalProcess(settings: Record<string, string> = {}): Promise<Portal> {
  const { RUNSHEET_SAMPLES = 'true', ...others } = settings;
  const isLikeOthers = !Object.keys(others).some(isReadAtFirstStart);
  // Only one file of the everyday set starts the program; creating a shared folder would then cost one more start.
  const { path, firstWords } = await (isLikeOthers && isFullSet
    ? startedFolder('program', { RUNSHEET_SAMPLES }, firstStart)
    : emptyFolder());
  const program = startProgram(path, settings);
  const address = await program.says('address');
  if (isLikeOthers && !isFullSet && RUNSHEET_SAMPLES !== 'false') await program.says('samples');
  return {
    address,
    ...(firstWords ?? { userName: await program.says('userName'), password: await program.says('password') }),
    stop: async () => {
      await program.stop();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Creates a folder with all samples, unless the settings exclude them. */
async function firstStart(folder: string, settings: Record<string, string>): Promise<FirstWords> {
  const program = startProgram(folder, settings);
  const words = { userName: await program.says('userName'), password: await program.says('password') };
  await program.says(settings.RUNSHEET_SAMPLES === 'false' ? 'address' : 'samples');
  await program.stop();
  return words;
}

/** The patterns match whole lines, because output may arrive in pieces. */
const SAID = {
  address: /is at (http:\S+).*\n/,
  userName: /user name +(\S+).*\n/,
  password: /password +(\S+).*\n/,
  samples: /(published the activities and views of the sample database).*\n/,
};

function startProgram(
  folder: string,
  settings: Record<string, string>,
): { says(what: keyof typeof SAID): Promise<string>; stop(): Promise<void> } {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, RUNSHEET_DATA_DIR: folder, RUNSHEET_PORT: '0', ...settings };
  const child = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = collect(child);
  return {
    says: async (what) => (await output.says(SAID[what]))[1]!,
    stop: async () => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function collect(child: ChildProcess): { says(pattern: RegExp): Promise<RegExpExecArray> } {
  let text = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close').then(() => 'ended' as const);
  return {
    async says(pattern) {
      for (let found = pattern.exec(text); ; found = pattern.exec(text)) {
        if (found) return found;
        const next = await Promise.race([once(child.stdout!, 'data'), ended]);
        if (next === 'ended' && !pattern.test(text))
          throw new Error(`The server ended without saying ${pattern}:\n${text}`);
      }
    },
  };
}
