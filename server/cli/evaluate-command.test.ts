/** The command `evaluate` against a portal that calculates. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { test as base } from '#test/support/fixtures/form-portal.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { runCommand } from './program.ts';

const LOAN: WorkbookSpec = {
  formats: ['yyyy-mm-dd'],
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 1000,
        A2: 0.05,
        A3: { value: 46_000, style: 1 },
        B1: { formula: 'A1*A2', value: 50 },
        B2: { formula: 'A3+1', value: 46_001, style: 1 },
        B3: { formula: '"-"&A1', value: '-1000' },
        C1: { formula: 'A1<5000', value: true },
      },
    },
    stepSheet([{ Step: 'Limit', Action: 'Check', Cell: 'S!C1', Message: '+1 more is too much' }]),
  ],
  names: {
    in_Amount: 'S!$A$1',
    in_Rate: 'S!$A$2',
    in_First_Day: 'S!$A$3',
    out_Interest: 'S!$B$1',
    out_Next_Day: 'S!$B$2',
    out_Text: 'S!$B$3',
  },
};

const test = base.extend('command', { scope: 'file' }, async ({ portal }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-evaluate-'));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  await portal.publish(LOAN, 'Loan');
  await portal.app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = portal.app.http.server.address() as AddressInfo;
  const env = {
    HOME: folder,
    RUNSHEET_PORTAL: `http://127.0.0.1:${port}`,
    RUNSHEET_API_KEY: portal.runner.headers.authorization.replace('Bearer ', ''),
  };
  return {
    file: async (name: string, text: string): Promise<string> => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    },
    evaluate: async (...args: string[]) => {
      const [out, err]: [string[], string[]] = [[], []];
      const terminal = { print: (text: string) => out.push(text), printMessage: (text: string) => err.push(text), env };
      const code = await runCommand(['evaluate', 'Loan', ...args], terminal);
      return { code, out: out.join('\n').split('\n'), err: err.join('\n') };
    },
  };
});

test('prints the rows with their outputs, and ends with 0', async ({ command }) => {
  const rows = await command.file('rows.csv', 'Rate;first day\n10 %;2026-01-31\n0.2;\n');
  const { code, out, err } = await command.evaluate('Amount=100', '--rows', rows);
  expect({ code, out }).toEqual({
    code: 0,
    out: [
      'Rate;first day;Interest;Next Day;Text;Error',
      "10 %;2026-01-31;10;2026-02-01;'-100;",
      "0.2;;20;2025-12-10;'-100;",
    ],
  });
  expect(err).toBe('2 rows calculated, 0 refused');
});

test('names the reason of each refused row, writes a file, and ends with 1', async ({ command }) => {
  const rows = await command.file('refused.csv', 'Rate\n0.1\nhigh\n"1,500"\n');
  const file = rows.replace('refused', 'results');
  const { code, err } = await command.evaluate('--rows', rows, '--outputs', 'interest', '--out', file);
  expect({ code, err }).toEqual({ code: 1, err: '1 row calculated, 2 refused' });
  const [headings, first, ...rest] = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect([headings, first]).toEqual(['Rate,Interest,Error', '0.1,100,']);
  expect(rest[0]).toContain('high,,"Rate: Value must be a number');
  expect(rest[1]).toContain('Rate: ""1,500"" can be read in two ways');
  expect((await command.evaluate('--rows', rows, '--out', file)).err).toContain('already exists');
});

test('writes results like the rows: separator, decimal mark and byte order mark', async ({ command }) => {
  const rows = await command.file('german.csv', '\uFEFFRate;Amount\n0,05;1.010,0\n');
  const file = rows.replace('german', 'ergebnis');
  const region = ['--region', 'de-DE', '--outputs', 'Interest'];
  expect(await command.evaluate('--rows', rows, ...region, '--out', file)).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).toBe('\uFEFFRate;Amount;Interest;Error\n0,05;1.010,0;50,5;\n');
  const single = await command.file('single.csv', 'Rate\n0,05\n');
  expect((await command.evaluate('--rows', single, ...region)).out).toEqual(['Rate;Interest;Error', '0,05;50;']);
});

test('finds out whether the results can be written before it calculates them', async ({ command }) => {
  const rows = await command.file('late.csv', 'Profit\n1\n');
  expect((await command.evaluate('--rows', rows, '--out', rows)).err).toContain('late.csv already exists');
  const nowhere = `${rows}.folder/results.csv`;
  expect((await command.evaluate('--rows', rows, '--out', nowhere)).err).toContain('cannot be written');
});

test('writes no reason that a spreadsheet program would take for a formula', async ({ command }) => {
  const rows = await command.file('many.csv', 'Amount\n9000\n');
  const { out } = await command.evaluate('--rows', rows, '--outputs', 'Interest');
  expect(out).toEqual(['Amount,Interest,Error', "9000,,'+1 more is too much"]);
});

test('ends with 2 if a name is wrong', async ({ command }) => {
  const rows = await command.file('wrong.csv', 'Profit\n1\n');
  expect(await command.evaluate('--rows', rows)).toMatchObject({
    code: 2,
    err: 'runsheet: "Loan" has no input "Profit"; it has Amount, Rate, First Day',
  });
  const doubled = await command.file('doubled.csv', 'Rate,rate\n1,2\n');
  expect(await command.evaluate('--rows', doubled)).toMatchObject({
    code: 2,
    err: 'runsheet: Rate, row 0: the value is given more than once',
  });
  const good = await command.file('good.csv', 'Rate\n1\n');
  expect(await command.evaluate('--rows', good, '--outputs', 'Profit')).toMatchObject({ code: 2 });
});
