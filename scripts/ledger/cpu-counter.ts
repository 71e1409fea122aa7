import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CpuCounter {
  /** Value for RUNSHEET_TEST_LEDGER_COUNTER; null if the system has no counter. */
  path: string | null;
  /** True if it counts processes that detached from the run, such as those of the embedded PostgreSQL. */
  countsDetached: boolean;
  close: () => void;
}

/** Moves this process into a new control group, which counts every process that it starts from then on. */
function openControlGroup(): CpuCounter {
  const mount = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find((path) => existsSync(`${path}/cgroup.controllers`));
  const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  if (mount === undefined || own === undefined) throw new Error('control groups version 2 are not available');
  const parent = join(mount, own);
  const group = join(parent, `runsheet-ledger-${process.pid}`);
  const moveTo = (folder: string): void => writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));
  const close = (): void => {
    moveTo(parent);
    try {
      rmdirSync(group);
    } catch {
      // A process that outlives the run still uses the group.
    }
  };
  mkdirSync(group);
  moveTo(group);
  return { path: join(group, 'cpu.stat'), countsDetached: true, close };
}

export function openCpuCounter(): CpuCounter {
  try {
    return openControlGroup();
  } catch {
    const path = existsSync('/proc/self/stat') ? '/proc/self/stat' : null;
    return { path, countsDetached: false, close: () => {} };
  }
}
