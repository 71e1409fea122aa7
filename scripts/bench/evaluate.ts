/**
 * Measures the call evaluate on a loan with 400 and with 4,000 formulas: rows per second of processor time, the same
 * rows as runs, the time of a call with one row, and other engines with the same workbook. The target is by processor
 * time, so it can be judged on a busy machine.
 */
import type { Activity } from '#shared/contract/activities.ts';
import type { EvaluateResult } from '#shared/contract/evaluate.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { CONTESTANTS } from './calculation/contestants.ts';
import { inProcess } from './calculation/in-process.ts';
import type { Variants } from './calculation/variants.ts';
import { loanBook } from './loan-book.ts';
import { printMachine, summary } from './measure.ts';
import { startBenchPortal, type BenchPortal } from './portal.ts';
import { watch } from './run.ts';

interface Size {
  formulas: number;
  rows: number;
  /** Rows per second of processor time. */
  target: number;
}

const SIZES: readonly Size[] = [
  { formulas: 400, rows: 20_000, target: 20_000 },
  { formulas: 4000, rows: 2000, target: 500 },
];
const RUNS = 100;
const CALLS = 200;
/** Maximum median of a call with one row, without its calculation, in milliseconds. */
const CALL_TARGET_MS = 3;
const ENGINE_LIMIT_MS = 120_000;

const FIELDS = { Id: '0', Schema: 'General', SingleRun: 'false', IsActive: 'true' };

const columns = (rows: number, from = 0) => ({
  Amount: Array.from({ length: rows }, (_, row) => 100_000 + from + row),
  Rate: Array.from({ length: rows }, (_, row) => 0.01 + ((from + row) % 500) / 10_000),
});

/** Returns the processor time of this process, which includes the server and its threads, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function rateOf(count: number, work: () => Promise<unknown>): Promise<{ cpu: number; wall: number }> {
  const [cpu, wall] = [processorTime(), performance.now()];
  await work();
  const perSecond = (ms: number): number => (count * 1000) / ms;
  return { cpu: perSecond(processorTime() - cpu), wall: perSecond(performance.now() - wall) };
}

const shown = ({ cpu, wall }: { cpu: number; wall: number }): string =>
  `${cpu.toFixed(0)} rows a second of processor time (${wall.toFixed(0)} by the clock)`;

export async function benchEvaluate(): Promise<void> {
  printMachine();
  const portal = await startBenchPortal();
  try {
    for (const size of SIZES) await benchSize(portal, size);
  } finally {
    await portal.stop();
  }
  for (const { formulas } of SIZES) await benchEngines(formulas);
}

async function benchSize(portal: BenchPortal, { formulas, rows, target }: Size): Promise<void> {
  const bytes = await buildWorkbook(loanBook(formulas));
  const { Id } = await portal.upload({ ...FIELDS, Name: `Loan of ${formulas} formulas` }, 'loan.xlsx', bytes);
  const activity = await portal.call<Activity>('GET', `/api/activities/details/${Id}`);
  const evaluate = (Inputs: object, Outputs?: string[]): Promise<EvaluateResult> =>
    portal.call('POST', `/api/activities/${Id}/evaluate`, { Inputs, Outputs });
  await evaluate(columns(Math.ceil(rows / 4)));
  const all = await rateOf(rows, () => evaluate(columns(rows)));
  const one = await rateOf(rows, () => evaluate(columns(rows), ['Payment']));
  await runs(portal, activity, 20);
  const asRuns = await rateOf(RUNS, () => runs(portal, activity, RUNS));
  const times: number[] = [];
  const before = processorTime();
  for (let call = 0; call < CALLS; call += 1) {
    const start = performance.now();
    await evaluate(columns(1, call), ['Payment']);
    times.push(performance.now() - start);
  }
  const perCall = (processorTime() - before) / CALLS;
  const { median, min, max } = summary(times);
  const verdict = (holds: boolean): string => (holds ? 'holds' : 'MISSED');
  console.log(
    [
      `A loan of ${formulas} formulas`,
      `  evaluate ${shown(all)}; ${verdict(all.cpu >= target)}: ${target}`,
      `  with one output that needs no schedule ${shown(one)}`,
      `  as runs ${shown(asRuns)}; evaluate is ${(all.cpu / asRuns.cpu).toFixed(0)} times as fast; ${verdict(all.cpu >= asRuns.cpu * 10)}: 10`,
      `  a call of one row ${median.toFixed(2)} ms (${min.toFixed(2)} to ${max.toFixed(2)}), ${perCall.toFixed(2)} ms of processor time with its client; ${verdict(median <= CALL_TARGET_MS)}: ${CALL_TARGET_MS} ms\n`,
    ].join('\n'),
  );
}

async function runs(portal: BenchPortal, activity: Activity, count: number): Promise<void> {
  const idOf = (name: string): number => activity.Inputs.find(({ Name }) => Name === name)!.Id;
  const { Amount, Rate } = columns(count);
  for (const [row, amount] of Amount.entries()) {
    const given: Record<string, unknown> = {
      Amount: amount,
      Rate: Rate[row],
      Years: Math.floor(valueOf(activity, 'Years')),
      Frequency: 'Monthly',
      'First Payment': 46_418,
    };
    const Inputs = Object.entries(given).map(([name, value]) => ({
      ActivityParameterId: idOf(name),
      Value: JSON.stringify(value),
    }));
    const body = { ActivityId: activity.Id, ActivityVersion: activity.Version, UniqueId: null, Inputs };
    const { Id } = await portal.call<{ Id: number }>('POST', '/api/activities/start', body);
    await watch(portal, Id);
  }
}

const valueOf = ({ Inputs }: Activity, name: string): number =>
  JSON.parse(Inputs.find(({ Name }) => Name === name)!.Info.DefaultValue ?? '0') as number;

async function benchEngines(formulas: number): Promise<void> {
  console.log(`Engines without a portal, a loan of ${formulas} formulas, one amount after the other`);
  for (const [engine, contestant] of Object.entries(CONTESTANTS)) {
    const missing = contestant.missing?.() ?? null;
    const found =
      missing ?? (await inProcess<Variants>(['--engine', engine, '--variants', String(formulas)], ENGINE_LIMIT_MS));
    const text =
      typeof found === 'string' ? found : `${found.perSecond.toFixed(0)} a second (results ${found.check.toFixed(2)})`;
    console.log(`  ${engine.padEnd(12)} ${text}`);
  }
}
