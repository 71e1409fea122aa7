/**
 * Returns the milliseconds of CPU time that this process spends in `work`. Unlike elapsed time, it does not depend on
 * other processes.
 */
export function cpuTimeMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
