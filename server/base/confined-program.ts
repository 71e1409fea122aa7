/**
 * How programs are started that open strangers' files: where the system lets us, with no network, no processes but their own, and
 * the folders and files of the server hidden.
 */
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { sep } from 'node:path';

const SYSTEM_PATH = '/usr/bin:/bin';

const NAMESPACES = ['unshare', '--user', '--map-root-user', '--net', '--ipc', '--pid', '--fork', '--kill-child'];
/** A /proc of its own: through that of the system the files of other processes would be reached. */
const OWN_FILES = ['--mount', '--mount-proc'];

/**
 * Puts nothing in the place of folders and files, up to '--', and gives up the right to take that away. The options of setpriv leave
 * none of the rights that root has in a namespace of its own.
 */
const HIDE = `
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mount -t tmpfs -o size=4k,mode=000 none "$1" || exit 70
  elif [ -e "$1" ]; then mount --bind /dev/null "$1" || exit 70; fi
  shift
done
shift
exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all -- "$@"
`;

const tried = new Map<string, string[]>();

/**
 * The command to put in front of `program`, which works in `folder` and is to see nothing of `hidden`: the first of the ways that
 * the system allows, none where it allows none.
 */
export function confinement(program: string, folder: string, hidden: readonly string[]): string[] {
  return firstWay(hidden.filter((each) => ![program, folder].some((path) => isBelow(path, each))));
}

/** Whether confinement() hides anything on this system. */
export const canHide = (paths: readonly string[]): boolean => firstWay(paths).includes(HIDE);

function firstWay(paths: readonly string[]): string[] {
  const key = JSON.stringify(paths);
  let way = tried.get(key);
  if (!way) tried.set(key, (way = waysToHide(paths).find(runs) ?? []));
  return way;
}

function waysToHide(paths: readonly string[]): string[][] {
  const hide = ['/bin/sh', '-c', HIDE, 'confined', ...paths, '--'];
  return [
    [...NAMESPACES, ...OWN_FILES, ...hide],
    // where containers forbid a /proc of its own
    [...NAMESPACES, '--mount', ...hide],
    NAMESPACES,
    [],
  ];
}

function runs(way: readonly string[]): boolean {
  const [command, ...rest] = [...way, 'true'];
  const trial = spawnSync(command!, rest, { stdio: 'ignore', cwd: '/', timeout: 10_000, env: { PATH: SYSTEM_PATH } });
  return trial.status === 0;
}

function isBelow(path: string, folder: string): boolean {
  try {
    return `${realpathSync(path)}${sep}`.startsWith(`${realpathSync(folder)}${sep}`);
  } catch {
    return false;
  }
}
