/**
 * Measures how long a form waits for its workbook's calculation: POST updateui over HTTP on a workbook of 20,000 rows.
 * The first case changes a rate on which every row depends. The second changes one cell of a grid of 20,000 rows, and
 * sends all rows with each call.
 */
import type { Activity } from '#shared/contract/activities.ts';
import type { UpdateUiResult } from '#shared/contract/forms.ts';
import { buildWorkbook, type SheetSpec, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { summary } from './measure.ts';
import { startBenchPortal, type BenchPortal } from './portal.ts';

const ROWS = 20_000;
const ROUNDS = 40;
/** Maximum median in milliseconds. */
const TARGET = 150;

const FIELDS = { Id: '0', Schema: 'General', SingleRun: 'false' };

const immediateOutputs = (...names: string[]): SheetSpec => ({
  name: 'Portal',
  cells: Object.fromEntries([
    ['A1', 'Name'],
    ['B1', 'CalculateImmediately'],
    ...names.flatMap((name, at) => [
      [`A${at + 2}`, name],
      [`B${at + 2}`, true],
    ]),
  ]),
  tables: [{ name: 'PortalOutputs', ref: `A1:B${names.length + 1}`, columns: ['Name', 'CalculateImmediately'] }],
});

/** Three formulas per row. */
function rows(): NonNullable<SheetSpec['cells']> {
  const cells: NonNullable<SheetSpec['cells']> = { A1: 'Item', B1: 'Amount', C1: 'Interest', D1: 'Gross', E1: 'Band' };
  for (let row = 2; row <= ROWS + 1; row += 1) {
    const amount = (row * 37) % 1000;
    const gross = amount + amount * 0.5;
    cells[`A${row}`] = `Item ${row}`;
    cells[`B${row}`] = amount;
    cells[`C${row}`] = { formula: `B${row}*Control!$A$1`, value: amount * 0.5 };
    cells[`D${row}`] = { formula: `B${row}+C${row}`, value: gross };
    cells[`E${row}`] = { formula: `IF(D${row}>500,"high","low")`, value: gross > 500 ? 'high' : 'low' };
  }
  return cells;
}

const CONTROL: SheetSpec = {
  name: 'Control',
  cells: {
    A1: 0.5,
    A2: { formula: 'A1*2', value: 1 },
    A3: { formula: `SUM(Data!D2:D${ROWS + 1})` },
    A4: { formula: `COUNTIF(Data!E2:E${ROWS + 1},"high")` },
  },
};

const OUTPUTS = { out_Total: 'Control!$A$3', out_High: 'Control!$A$4' };

/** One number on which all rows depend. */
const RATE: WorkbookSpec = {
  sheets: [CONTROL, { name: 'Data', cells: rows() }, immediateOutputs('Total', 'High')],
  names: { in_Rate: 'Control!$A$1', in_Cap: 'Control!$A$2', ...OUTPUTS },
};

/** The rows are the input. Three of their columns are calculated. */
const GRID: WorkbookSpec = {
  sheets: [CONTROL, { name: 'Data', cells: rows() }, immediateOutputs('Total', 'High')],
  names: { in_Rows: `Data!$A$1:$E$${ROWS + 1}`, ...OUTPUTS },
};

async function publish(portal: BenchPortal, Name: string, spec: WorkbookSpec): Promise<Activity> {
  const { Id } = await portal.upload({ ...FIELDS, Name }, 'rows.xlsx', await buildWorkbook(spec));
  return portal.call<Activity>('GET', `/api/activities/details/${Id}`);
}

async function measure(
  portal: BenchPortal,
  activity: Activity,
  title: string,
  valueOf: (round: number) => unknown,
): Promise<void> {
  const times: number[] = [];
  let UniqueId: string | null = null;
  let first = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const Value = JSON.stringify(valueOf(round));
    const Inputs = [{ ActivityParameterId: activity.Inputs[0]!.Id, Value }];
    const body = { ActivityId: activity.Id, ActivityVersion: activity.Version, UniqueId, Inputs };
    const start = performance.now();
    const answer: UpdateUiResult = await portal.call('POST', '/api/activities/updateui', body);
    const took = performance.now() - start;
    UniqueId = answer.UniqueId;
    if (round === 0) first = took;
    else times.push(took);
  }
  const { median, min, max } = summary(times);
  const verdict = median <= TARGET ? 'within' : 'ABOVE';
  console.log(
    `${title}\n  first ${first.toFixed(0)} ms, then median ${median.toFixed(1)} ms (${min.toFixed(1)} to ${max.toFixed(1)}), ${verdict} the target of ${TARGET} ms\n`,
  );
}

export async function benchForms(): Promise<void> {
  const portal = await startBenchPortal();
  try {
    const rate = await publish(portal, 'Rate', RATE);
    await measure(
      portal,
      rate,
      `updateui: a rate that ${ROWS} rows of three formulas depend on`,
      (round) => round / 100,
    );
    const grid = await publish(portal, 'Grid', GRID);
    const cells = Array.from({ length: ROWS }, (_, row): unknown[] => [`Item ${row}`, row % 1000, null, null, null]);
    await measure(portal, grid, `updateui: one cell of a grid of ${ROWS} rows`, (round) => {
      cells[round * 7]![1] = round;
      return cells;
    });
  } finally {
    await portal.stop();
  }
}
