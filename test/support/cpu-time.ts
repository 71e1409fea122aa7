/** Milliseconds of CPU time that this process spends in `work`: unlike the time on the wall, no other process lengthens it. */
export function cpuTimeMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
