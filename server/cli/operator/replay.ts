/**
 * `npm run -s replay [-- --activity ID] [-- --json]`: replays the test cases of all activities with their newest versions, as after an
 * upgrade. Prints what differs, and ends with 1 where a case does not pass.
 */
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { exitOnStartError, StartError } from '#server/base/start-error.ts';
import { replayCommand } from '#server/compose/replay-command.ts';
import { loadConfig } from '#server/config/load-config.ts';

type ReplayedBed = Parameters<Parameters<typeof replayCommand>[3]>[0];

const TOLD = 20;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { activity: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const id = values.activity === undefined ? null : Number(values.activity);
  if (id !== null && !(Number.isSafeInteger(id) && id > 0)) throw new StartError('--activity needs the number of one');
  const counts = { activities: 0, cases: 0, failed: 0 };
  await replayCommand(loadConfig(), pino({ level: 'silent' }), id, (bed) => {
    const failed = bed.Cases.filter(({ Result }) => Result.Outcome !== 'Passed').length + (bed.Fault === null ? 0 : 1);
    counts.activities += 1;
    counts.cases += bed.Cases.length;
    counts.failed += failed;
    if (values.json) console.log(JSON.stringify(bed));
    else if (failed > 0) tell(bed);
  });
  if (counts.failed > 0) process.exitCode = 1;
  if (!values.json)
    console.log(
      `${counts.cases} test cases of ${counts.activities} activities were replayed; ${counts.failed} do not pass.`,
    );
}

function tell({ ActivityId, Name, Version, Cases, Fault }: ReplayedBed): void {
  console.log(`${Name} (activity ${ActivityId}, version ${Version})`);
  if (Fault !== null) console.log(`  not replayed: ${Fault}`);
  for (const { Name: title, Result } of Cases) {
    if (Result.Outcome === 'Passed') continue;
    console.log(`  ${title}: ${Result.Outcome === 'Failed' ? 'failed' : 'not replayed'}`);
    for (const message of Result.Messages) console.log(`    ${message}`);
    for (const { Output, Cell, Expected, Actual } of Result.Differences.slice(0, TOLD))
      console.log(`    ${[Output || 'Outcome', Cell].filter(Boolean).join(', ')}: expected ${Expected}, got ${Actual}`);
    if (Result.DifferenceCount > TOLD) console.log(`    ${Result.DifferenceCount - TOLD} more cells differ`);
    for (const check of Result.Checks) if (!check.Holds) console.log(`    ${check.Name}: ${check.Message}`);
  }
}

await run().catch(exitOnStartError);
