/**
 * Confines programs that open files of unknown origin: if the system allows it, they have no network, see no other
 * processes, and the folders and files of the server are hidden from them.
 */
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { sep } from 'node:path';

const SYSTEM_PATH = '/usr/bin:/bin';

const NAMESPACES = ['unshare', '--user', '--map-root-user', '--net', '--ipc', '--pid', '--fork', '--kill-child'];
/** A separate /proc, because the system's /proc gives access to files of other processes. */
const OWN_FILES = ['--mount', '--mount-proc'];

/**
 * Mounts something empty over folders and files, up to '--', and gives up the right to unmount it. The options of
 * setpriv drop all privileges that root has in its own namespace.
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
 * Returns the command prefix for `program`, which works in `folder` and must not see `hidden`. It is the first method
 * that the system allows; empty if it allows none.
 */
export function confinement(program: string, folder: string, hidden: readonly string[]): string[] {
  return firstWay(hidden.filter((each) => ![program, folder].some((path) => isBelow(path, each))));
}

/** Returns true if confinement() hides anything on this system. */
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
    // For containers that forbid a separate /proc.
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
