import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { InputValue, RunLogLine, RunOutcome } from '#server/executors/executor.ts';
import type { WorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { fromSerial, toSerial } from '#shared/codecs/serial-date.ts';
import { makeSamples } from './make-samples.ts';
import { BUCKETS, CURRENCIES, POSITIONS, RATES } from './samples/fx-exposure.ts';
import { invoices, payments } from './samples/invoice-data.ts';
import { DEALS, PEOPLE, PRODUCTS, TIERS } from './samples/sales-commission.ts';

/** Expected results of the samples, calculated here in plain TypeScript, independently of the workbooks. */

type Given = unknown[] | number | string | { files: string[] };
interface Sample {
  name: string;
  file: string;
  group: string;
  function: string;
  description: string;
  examples: { title: string; inputs: Record<string, Given> }[];
}

const read = (path: string): Promise<Buffer> => readFile(new URL(`../samples/${path}`, import.meta.url));
const samples = JSON.parse((await read('index.json')).toString()) as Sample[];
const never = new AbortController().signal;

let executor: WorkbookExecutor;
const definitions = new Map<string, ActivityDefinition>();

beforeAll(async () => {
  executor = createWorkbookExecutor({ threads: 1 });
  for (const { file } of samples) {
    const bytes = new Uint8Array(await read(`files/${file}`));
    const { definition, problems, fidelity } = await executor.inspect(
      { fileName: file, bytes, acceptUnsupported: [] },
      never,
    );
    expect(problems).toEqual([]);
    expect(fidelity).toMatchObject({ Different: 0, Unsupported: [], ExternalLinks: [] });
    definitions.set(file, definition!);
  }
});
afterAll(() => executor.close());

const serial = (date: Date): number =>
  toSerial({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })!;
/** Rounds like Excel's ROUND: half away from zero, on the intended decimal number. */
const round = (value: number): number => (Math.sign(value) * Math.round(Math.abs(value) * 100 + 1e-7)) / 100;

interface Result {
  outcome: RunOutcome;
  log: RunLogLine[];
  value: (name: string) => unknown;
}

async function run(file: string, given: Record<string, Given>, replaced: Record<string, Buffer> = {}): Promise<Result> {
  const log: RunLogLine[] = [];
  const inputs = Object.entries(given).map(([Name, value]): InputValue => {
    const names = typeof value === 'object' && !Array.isArray(value) ? value.files : null;
    if (names === null) return { Name, value: JSON.stringify(value), files: [] };
    const files = names.map((FileName) => ({
      FileName,
      read: async () => Uint8Array.from(replaced[FileName] ?? (await read(`files/${FileName}`))),
    }));
    return { Name, value: null, files };
  });
  const outcome = await executor.run({
    versionKey: file,
    definition: definitions.get(file)!,
    fileName: file,
    readWorkbook: async () => new Uint8Array(await read(`files/${file}`)),
    inputs,
    timeLimit: 60_000,
    signal: never,
    onLog: (line) => log.push(line),
    onProgress: () => undefined,
  });
  return {
    outcome,
    log,
    value: (name) => JSON.parse(outcome.outputs.find(({ Name }) => Name === name)!.Value!) as unknown,
  };
}

describe('the samples', () => {
  it('are what their sources build', async () => {
    const built = await makeSamples(createRunsheetEngine());
    for (const [name, bytes] of built) expect(Buffer.compare(await read(`files/${name}`), bytes), name).toBe(0);
  });

  it('have names and descriptions that the portal takes', () => {
    for (const sample of samples) {
      expect(sample.name.length).toBeLessThanOrEqual(30);
      expect(sample.group.length).toBeLessThanOrEqual(30);
      expect(sample.function.length).toBeLessThanOrEqual(30);
      expect(sample.description.length).toBeLessThanOrEqual(200);
      expect(definitions.get(sample.file)!.proposals).toEqual({ Group: sample.group, Function: sample.function });
    }
  });

  it.each(
    samples.flatMap(({ file, examples }) => examples.map((example) => [file, example.title, example.inputs] as const)),
  )('%s runs: %s', async (file, _, inputs) => {
    const { inputs: declared } = definitions.get(file)!;
    expect(declared.map(({ Name }) => Name)).toEqual(expect.arrayContaining(Object.keys(inputs)));
    const { outcome } = await run(file, inputs);
    expect(['Succeeded', 'SucceededWarn']).toContain(outcome.status);
    expect(JSON.stringify(outcome.outputs)).not.toContain('error');
  });
});

describe('the loan schedule', () => {
  const perYear = { Monthly: 12, Quarterly: 4, 'Half-yearly': 2, Yearly: 1 } as const;

  it.each([
    [250_000, 0.0425, 20, 'Monthly'],
    [80_000, 0.061, 5, 'Quarterly'],
    [10_000, 0, 3, 'Yearly'],
    [1_234_567.89, 0.0199, 40, 'Monthly'],
    [5_000, 0.15, 1, 'Half-yearly'],
  ] as const)('of %d at %d over %d years, %s', async (amount, rate, years, frequency) => {
    const first = toSerial({ year: 2027, month: 1, day: 31 })!;
    const { value, outcome } = await run('loan-schedule.xlsx', {
      Amount: amount,
      'Interest Rate': rate,
      'Term in Years': years,
      'Payment Frequency': frequency,
      'First Payment': first,
    });
    const n = perYear[frequency];
    const count = years * n;
    const payment = round(rate === 0 ? amount / count : (amount * (rate / n)) / (1 - (1 + rate / n) ** -count));
    const schedule: number[][] = [];
    let balance: number = amount;
    for (let number = 1; number <= count; number++) {
      const interest = round((balance * rate) / n);
      const due = round(balance + interest);
      const paid = number === count ? due : Math.min(payment, due);
      const principal = round(paid - interest);
      const months = ((number - 1) * 12) / n;
      const monthEnd = new Date(Date.UTC(2027, months + 1, 0));
      const next = round(balance - principal);
      schedule.push([number, serial(monthEnd), balance, paid, interest, principal, next]);
      balance = next;
    }
    expect(outcome.status).toBe('Succeeded');
    expect(value('Payment')).toBe(payment);
    expect(value('Schedule')).toEqual(schedule);
    expect(value('Number of Payments')).toBe(count);
    expect(value('Total Interest')).toBe(round(schedule.reduce((sum, row) => sum + row[4]!, 0)));
    expect(fromSerial(value('Last Payment') as number)).toEqual(fromSerial(schedule.at(-1)![1]!));
    expect(balance).toBe(0);
  });
});

describe('the invoice reconciliation', () => {
  const given = samples.find(({ file }) => file === 'invoice-reconciliation.xlsx')!.examples[0]!.inputs;

  it('finds the exceptions of its files', async () => {
    const { value, outcome, log } = await run('invoice-reconciliation.xlsx', given);
    const october = toSerial({ year: 2026, month: 10, day: 1 })!;
    const open = invoices.flatMap(({ number, customer, cents, day, dueInDays }) => {
      const paid = payments.filter(({ invoice }) => invoice === number).reduce((sum, next) => sum + next.cents, 0);
      const rest = cents - paid;
      if (Math.abs(rest) <= 5) return [];
      const isDue = october + day + dueInDays <= october + 30;
      const kind = rest < 0 ? 'Overpaid' : isDue ? 'Overdue' : paid === 0 ? 'Open' : 'Partly paid';
      return [{ kind, number, customer, cents, paid, rest }];
    });
    const strangers = payments.filter(({ invoice }) => !invoices.some(({ number }) => number === invoice));
    const cents = (list: { cents: number }[]): number => list.reduce((sum, next) => sum + next.cents, 0) / 100;
    expect(outcome.status).toBe('SucceededWarn');
    expect(value('Invoiced')).toBeCloseTo(cents(invoices), 6);
    expect(value('Received')).toBeCloseTo(cents(payments), 6);
    expect(value('Open')).toBeCloseTo(open.reduce((sum, { rest }) => sum + rest, 0) / 100, 6);
    expect(value('Unmatched Payments')).toBeCloseTo(cents(strangers), 6);
    const rows = value('Exceptions') as (string | number)[][];
    expect(rows.map(([kind, number, who]) => [kind, number || null, who])).toEqual([
      ...open.map(({ kind, number, customer }) => [kind, number, customer]),
      ...strangers.map(({ invoice, text }) => ['No invoice', invoice || null, text]),
    ]);
    for (const [index, { cents, paid, rest }] of open.entries()) {
      expect(rows[index]!.slice(3)).toEqual(
        [cents, paid, rest].map((amount) => expect.closeTo(amount / 100, 6) as number),
      );
    }
    expect(log.find(({ Category }) => Category === 2)!.Message).toMatch(new RegExp(`^${rows.length} exceptions; `));
  });

  it('refuses a file in which an invoice stands twice, and one with a bad cell', async () => {
    const text = (await read('files/invoices-2026-10.csv')).toString();
    const lines = text.split('\r\n');
    const twice = Buffer.from([...lines.slice(0, -1), lines[1], ''].join('\r\n'));
    const first = await run('invoice-reconciliation.xlsx', given, { 'invoices-2026-10.csv': twice });
    expect(first.outcome.status).toBe('Failed');
    expect(first.log.at(-1)!.Message).toBe('An invoice number stands twice in the file of invoices');
    const bad = Buffer.from(text.replace(/,[\d.]+\r\n/, ',much\r\n'));
    const second = await run('invoice-reconciliation.xlsx', given, { 'invoices-2026-10.csv': bad });
    expect(second.outcome.status).toBe('Failed');
    expect(second.log.map(({ Message }) => Message)).toEqual([
      "invoices-2026-10.csv: row 2, column 'Amount' (E): 'much' is not a number",
    ]);
  });
});

describe('the sales commission', () => {
  const people = (deals: readonly (readonly [string, string, number, number, number])[], bonus: number): unknown[] =>
    PEOPLE.map(([person, region, quota]) => {
      const own = deals.filter(
        ([name, , closed]) =>
          name === person &&
          closed >= serial(new Date(Date.UTC(2026, 6, 1))) &&
          closed <= serial(new Date(Date.UTC(2026, 8, 30))),
      );
      const nets = own.map(([, , , revenue, discount]) => round(revenue * (1 - discount)));
      const net = nets.reduce((sum, next) => sum + next, 0);
      const earned = own.reduce((sum, [, product], index) => {
        const tier = TIERS.findLast(([from]) => nets[index]! >= from)![1];
        return sum + round(nets[index]! * tier * PRODUCTS.find(([name]) => name === product)![1]);
      }, 0);
      const extra = round(Math.max(0, net - quota) * bonus);
      return [person, region, own.length, net, quota, net / quota, earned, extra, earned + extra].map((cell) =>
        typeof cell === 'number' ? (expect.closeTo(cell, 6) as number) : cell,
      );
    });

  it('is right for the deals in the workbook, and for others', async () => {
    const saved = await run('sales-commission.xlsx', {});
    expect(saved.value('Commission')).toEqual(
      people(
        DEALS.map(([a, b, closed, d, e]) => [a, b, serial(closed), d, e] as const),
        0.01,
      ),
    );
    const { inputs } = samples.find(({ file }) => file === 'sales-commission.xlsx')!.examples[0]!;
    const given = await run('sales-commission.xlsx', inputs);
    const deals = (inputs['Deals'] as unknown[][]).map(
      (row) => row.slice(0, 5) as [string, string, number, number, number],
    );
    expect(given.value('Commission')).toEqual(people(deals, 0.01));
    const many = Array.from({ length: 40 }, (_, index) => {
      const row = [
        PEOPLE[index % 5]![0],
        PRODUCTS[index % 3]![0],
        46_190 + index * 3,
        1000 * (index * 7 + 1),
        (index % 4) / 20,
      ];
      return row as [string, string, number, number, number];
    });
    const grown = await run('sales-commission.xlsx', {
      Deals: many.map((row) => [...row, null, null, null]),
      'Bonus Rate': 0.02,
    });
    expect(grown.value('Commission')).toEqual(people(many, 0.02));
  });
});

describe('the FX exposure report', () => {
  it.each([
    [46341, 'EUR', 0.1],
    [46310, 'USD', 0.15],
    [46204, 'JPY', 0],
  ])('on day %d in %s', async (reportDay, currency, shock) => {
    const { value } = await run('fx-exposure.xlsx', {
      'Report Date': reportDay,
      'Reporting Currency': currency,
      Shock: shock,
    });
    const rates = RATES.findLast(([from]) => serial(from) <= reportDay)!;
    const rateOf = (code: string): number => rates[1 + CURRENCIES.indexOf(code)] as number;
    const positions = POSITIONS.map(([, type, code, due, amount]) => ({
      code,
      days: serial(due) - reportDay,
      value: round((type === 'Payable' ? -1 : 1) * amount * (rateOf(currency) / rateOf(code))),
    }));
    const bucket = (days: number): number => (days < 0 ? -1 : BUCKETS.findIndex((end) => days <= end));
    const matrix = CURRENCIES.map((code) =>
      BUCKETS.map((_, index) =>
        positions.reduce(
          (sum, next) => (next.code === code && bucket(next.days) === index ? sum + next.value : sum),
          0,
        ),
      ),
    );
    const sum = (rows: number[][]): number => rows.flat().reduce((total, next) => total + next, 0);
    expect(value('Exposure')).toEqual(matrix.map((row) => row.map((cell) => expect.closeTo(cell, 4) as number)));
    expect(value('Net Exposure')).toBeCloseTo(sum(matrix), 4);
    const foreign = sum(matrix.filter((_, index) => CURRENCIES[index] !== currency));
    expect(value('Foreign Exposure')).toBeCloseTo(foreign, 4);
    expect(value('Loss at Shock')).toBeCloseTo(round((foreign * shock) / (1 + shock)), 2);
    expect(value('Rates of')).toBe(serial(rates[0]));
  });
});
