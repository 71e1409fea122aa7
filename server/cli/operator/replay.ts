/**
 * `runsheet replay [--activity ID] [--json]`: replays the test cases of all activities with their newest versions, as
 * after an upgrade. Prints the differences, and returns 1 if a case fails.
 */
import { pino } from 'pino';
import { replayCommand } from './replay-command.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { counted } from '#shared/codecs/counted.ts';
import { ExitCode } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

type ReplayedBed = Parameters<Parameters<typeof replayCommand>[3]>[0];

const MAX_PRINTED_DIFFERENCES = 20;

export interface ReplayOptions {
  /** Null for all activities. */
  activityId: number | null;
  json: boolean;
}

export async function replay({ print, env }: Terminal, { activityId, json }: ReplayOptions): Promise<ExitCode> {
  const counts = { activities: 0, cases: 0, failed: 0 };
  await replayCommand(loadConfig(env), pino({ level: 'silent' }), activityId, (bed) => {
    const failed = bed.Cases.filter(({ Result }) => Result.Outcome !== 'Passed').length + (bed.Fault === null ? 0 : 1);
    counts.activities += 1;
    counts.cases += bed.Cases.length;
    counts.failed += failed;
    if (json) print(JSON.stringify(bed));
    else if (failed > 0) printFailures(print, bed);
  });
  if (!json) print(summaryOf(counts));
  return counts.failed > 0 ? ExitCode.RunFailed : ExitCode.Succeeded;
}

function summaryOf({ activities, cases, failed }: Record<'activities' | 'cases' | 'failed', number>): string {
  const replayed = counted(cases, 'test case');
  const of = counted(activities, 'activity', 'activities');
  return `${replayed} of ${of} ${cases === 1 ? 'was' : 'were'} replayed; ${failed} ${failed === 1 ? 'does' : 'do'} not pass.`;
}

function printFailures(print: Terminal['print'], { ActivityId, Name, Version, Cases, Fault }: ReplayedBed): void {
  print(`${Name} (activity ${ActivityId}, version ${Version})`);
  if (Fault !== null) print(`  not replayed: ${Fault}`);
  for (const { Name: title, Result } of Cases) {
    if (Result.Outcome === 'Passed') continue;
    print(`  ${title}: ${Result.Outcome === 'Failed' ? 'failed' : 'not replayed'}`);
    for (const message of Result.Messages) print(`    ${message}`);
    for (const { Output, Cell, Expected, Actual } of Result.Differences.slice(0, MAX_PRINTED_DIFFERENCES))
      print(`    ${[Output || 'Outcome', Cell].filter(Boolean).join(', ')}: expected ${Expected}, got ${Actual}`);
    if (Result.DifferenceCount > MAX_PRINTED_DIFFERENCES)
      print(
        `    ${counted(Result.DifferenceCount - MAX_PRINTED_DIFFERENCES, 'more cell differs', 'more cells differ')}`,
      );
    for (const check of Result.Checks) if (!check.Holds) print(`    ${check.Name}: ${check.Message}`);
  }
}
