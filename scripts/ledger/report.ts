import type { FileLine, StageLine } from './stage.ts';

/** Maximum cost of a whole run on two cores. */
const MAX_WALL_SECONDS = 15 * 60;
const MAX_CPU_SECONDS = 1_800;
const MAX_LISTED_FILES = 20;

export interface Ledger {
  stages: StageLine[];
  files: FileLine[];
}

export function parseLedger(text: string): Ledger {
  const lines = text.trimEnd().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as StageLine | FileLine);
  return { stages: parsed.filter((line) => 'stage' in line), files: parsed.filter((line) => 'file' in line) };
}

const formatCpu = (seconds: number | null): string => (seconds === null ? '–' : seconds.toFixed(1));

const formatRow = (...[name, wall, cpu]: [string, string, string]): string =>
  `${name.padEnd(40)}${wall.padStart(12)}${cpu.padStart(12)}`;

export function formatLedger({ stages, files }: Ledger): string {
  const slowest = files.toSorted((a, b) => b.wallSeconds - a.wallSeconds).slice(0, MAX_LISTED_FILES);
  const rows = stages.map(({ stage, wallSeconds, cpuSeconds }) =>
    formatRow(stage, wallSeconds.toFixed(1), formatCpu(cpuSeconds)),
  );
  return [
    formatRow('Stage', 'wall s', 'CPU s'),
    ...rows,
    '',
    `The slowest ${slowest.length} of ${files.length} test files, with their imports and hooks:`,
    ...slowest.map(({ file, wallSeconds }) => `${wallSeconds.toFixed(1).padStart(8)} s  ${file}`),
  ].join('\n');
}

/** Returns the limits that a run exceeded. */
export function findOverruns({ wallSeconds, cpuSeconds }: Omit<StageLine, 'stage'>): string[] {
  const limits: [string, number | null, number][] = [
    ['wall', wallSeconds, MAX_WALL_SECONDS],
    ['CPU', cpuSeconds, MAX_CPU_SECONDS],
  ];
  return limits
    .filter(([, seconds, max]) => seconds !== null && seconds > max)
    .map(([name, seconds, max]) => `${formatCpu(seconds)} ${name} seconds, of at most ${max}`);
}
