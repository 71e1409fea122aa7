/** The command line against a portal that calculates: started by scripts, and the effects of its commands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { nodeOptions } from '#test/support/child-options.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { test as base } from '#test/support/fixtures/step-portal.ts';
import { CLI_MAIN } from '#test/support/server-program.ts';
import { stepSheet, type StepPortal } from '#test/support/step-portal.ts';
import { runCommand } from './program.ts';

const LOAN: WorkbookSpec = {
  formats: ['dd/mm/yyyy', '0.00%'],
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 1000,
        A2: { value: 0.05, style: 2 },
        A3: { value: 46000, style: 1 },
        B1: { formula: 'A1*A2', value: 50 },
        B2: { formula: 'A3+1', value: 46001, style: 1 },
        D1: 'Name',
        E1: 'Amount',
        D2: 'a',
        E2: 1,
        F1: { formula: 'SUM(Costs[Amount])', value: 1 },
      },
      tables: [{ name: 'Costs', ref: 'D1:E2', columns: ['Name', 'Amount'] }],
    },
  ],
  names: {
    in_Amount: 'S!$A$1',
    in_Rate: 'S!$A$2',
    in_First_Day: 'S!$A$3',
    in_Costs: 'Costs[#All]',
    out_Interest: 'S!$B$1',
    out_Next_Day: 'S!$B$2',
    out_Sum: 'S!$F$1',
  },
};

const FAILING: WorkbookSpec = {
  sheets: [
    { name: 'S', cells: { A1: 1, B1: { formula: 'A1*2', value: 2 }, C1: { formula: 'A1<0', value: false } } },
    stepSheet([{ Step: 'Sign', Action: 'Check', Cell: 'S!C1', Message: 'Amount must be negative' }]),
  ],
  names: { in_Amount: 'S!$A$1', out_Double: 'S!$B$1' },
};

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

const tokenOf = ({ headers }: StepPortal['runner']): string => headers.authorization.replace('Bearer ', '');

interface ProgramContext {
  /** Overrides the portal's address and the runner's token. */
  env?: Record<string, string>;
  stdin?: string;
}

const test = base.extend('commandLine', { scope: 'file', auto: true }, async ({ portal }, { onCleanup }) => {
  const environment = (env: Record<string, string> = {}): Record<string, string> => ({
    HOME: folder,
    RUNSHEET_PORTAL: address,
    RUNSHEET_API_KEY: tokenOf(portal.runner),
    ...env,
  });

  /** Runs a command in this process, because starting a process takes far longer than most commands. */
  async function runsheet(args: string[], { env }: Omit<ProgramContext, 'stdin'> = {}): Promise<Ended> {
    const [out, err]: string[][] = [[], []];
    const terminal = {
      print: (text: string) => out!.push(`${text}\n`),
      printMessage: (text: string) => err!.push(`${text}\n`),
      env: environment(env),
    };
    const code = await runCommand(args, terminal);
    return { code, out: out!.join(''), err: err!.join('') };
  }

  /** Starts the program as a script does. */
  async function startProgram(args: string[], { env, stdin = '' }: ProgramContext = {}): Promise<Ended> {
    const own = { PATH: process.env['PATH'], ...nodeOptions(), ...environment(env) };
    const child = spawn(process.execPath, [CLI_MAIN, ...args], { env: own, cwd: folder });
    child.stdin.end(stdin);
    const [out, err, [code]] = await Promise.all([
      readText(child.stdout),
      readText(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { code, out, err };
  }

  const inFolder = (name: string): string => join(folder, name);
  const author = () => ({ RUNSHEET_API_KEY: tokenOf(portal.author) });
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-cli-'));
  await portal.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = `http://127.0.0.1:${(portal.app.http.server.address() as AddressInfo).port}`;
  const loan = (await portal.publish(LOAN, 'Loan')) as number;
  await writeFile(inFolder('loan.xlsx'), await buildWorkbook(LOAN));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return { address, folder, loan, runsheet, startProgram, inFolder, author };
});

describe('a run', () => {
  test('takes values as people of a region type them and prints the outputs alone', async ({
    commandLine: { startProgram },
  }) => {
    const runArguments = ['run', 'Loan', 'Amount=2,000', 'rate=7 %', 'First Day=31/Jan/2026'];
    // In Germany, the amount is two.
    expect(await startProgram(runArguments)).toMatchObject({ code: 2, out: '' });
    const { code, out, err } = await startProgram([...runArguments, '--region', 'en-US']);
    expect([code, out]).toEqual([0, 'Interest: 140\nSum: 1\nNext Day: 01/02/2026\n']);
    expect(err).toMatch(/^Run \d+ of Loan\n[^]*Succeeded\n$/);
  });

  test('takes JSON and a table of a CSV, and prints JSON', async ({
    commandLine: { inFolder, startProgram, loan },
  }) => {
    await writeFile(inFolder('costs.csv'), 'amount,name\n"1,000.50",rent\n2,"a ""b"""\n');
    const stdin = JSON.stringify({ Amount: 10, Rate: 0.5, 'First Day': '2024-02-29' });
    const { code, out } = await startProgram(['run', String(loan), 'Costs=@costs.csv', '--inputs', '-', '--json'], {
      stdin,
    });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      Status: 'Succeeded',
      Outputs: { Interest: 5, 'Next Day': '2024-03-01', Sum: 1002.5 },
    });
  });

  test('is not started by values that no cell accepts: all of them are listed', async ({
    portal,
    commandLine: { runsheet },
  }) => {
    const before = await portal.app.database.knex('ActivityRuns').count({ n: '*' });
    const { code, out, err } = await runsheet(['run', 'Loan', 'Amount=much', 'First Day=31/Feb/2026', 'Colour=red']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('has no input "Colour"; it has Amount, Rate, Costs, First Day');
    const two = await runsheet(['run', 'Loan', 'Amount=much', 'First Day=31/Feb/2026']);
    expect(two.err).toMatch(/Amount: Value must be a number: "much"\nFirst Day: Value must be .*: "31\/Feb\/2026"/);
    expect(await portal.app.database.knex('ActivityRuns').count({ n: '*' })).toEqual(before);
  });

  test('that fails says why, and the exit code says so', async ({ portal, commandLine: { runsheet } }) => {
    await portal.publish(FAILING, 'Failing');
    const { code, err } = await runsheet(['run', 'failing']);
    expect(code).toBe(1);
    expect(err).toContain('Error: Amount must be negative');
  });

  test('of the same unique id is one run; without waiting it is its number', async ({ commandLine: { runsheet } }) => {
    const args = ['run', 'Loan', '--no-wait', '--unique-id', 'night-2026-11-23'];
    const [first, second] = [await runsheet(args), await runsheet(args)];
    expect(first.out).toMatch(/^\d+\n$/);
    expect([second.code, second.out]).toEqual([0, first.out]);
    const run = first.out.trim();
    expect((await runsheet(['logs', run, '--follow'])).code).toBe(0);
    expect((await runsheet(['status', run])).out).toContain('Succeeded');
  });

  test('continues after the command stops waiting', async ({ portal, commandLine: { runsheet } }) => {
    // Results in a fraction of a millisecond.
    const { code, out, err } = await runsheet(['run', 'Loan', '--timeout', '0.0001']);
    expect([code, out]).toEqual([4, '']);
    const [, id = ''] = /^Run (\d+) has not ended after 0.0001 seconds and continues$/m.exec(err) ?? [];
    expect((await portal.ended(Number(id))).Status).toBe('Succeeded');
  });

  test('whose answer is lost on the way is started once', async ({ portal, commandLine: { address, runsheet } }) => {
    const sent: unknown[] = [];
    // Forwards everything, except that the first response to a start never arrives.
    const way = createHttpServer((request, response) => void passOn(request, response));
    const passOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = request.method === 'POST' ? await readText(request) : undefined;
      const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
      const answer = await fetch(`${address}${request.url}`, {
        method: request.method,
        headers: { authorization, 'content-type': type, prefer: String(request.headers['prefer'] ?? '') },
        body,
      });
      const isStart = request.url === '/api/activities/start';
      if (isStart && sent.push(JSON.parse(body!).UniqueId) === 1) return void request.socket.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    };
    way.listen(0, '127.0.0.1');
    await once(way, 'listening');
    const { port } = way.address() as AddressInfo;
    const { code, out } = await runsheet(['run', 'Loan', 'Amount=7', '--json'], {
      env: { RUNSHEET_PORTAL: `http://127.0.0.1:${port}` },
    });
    way.close();
    expect([code, sent.length, new Set(sent).size]).toEqual([0, 2, 1]);
    const { Id } = JSON.parse(out) as { Id: number };
    const runs = await portal.app.database.knex('ActivityRuns').where('Id', '>=', Id).select('Id');
    expect(runs).toHaveLength(1);
  });

  test('gives its files, and overwrites none', async ({ commandLine: { runsheet, inFolder } }) => {
    const { out } = await runsheet(['run', 'Loan', '--json', '--download', inFolder('results')]);
    const { Id } = JSON.parse(out) as { Id: number };
    expect((await runsheet(['download', String(Id), '--to', inFolder('results')])).code).toBe(0);
    const files = await readdir(inFolder('results'));
    expect(files).toHaveLength(2);
    expect(files.filter((name) => name.includes('(1)'))).toHaveLength(1);
    expect((await runsheet(['download', String(Id), '--to', inFolder('report'), '--pdf'])).code).toBe(0);
    expect(await readdir(inFolder('report'))).toEqual([`Loan ${Id}.pdf`]);
  });
});

describe('the portal', () => {
  test('reports when the server refuses or cannot be reached', async ({ commandLine: { runsheet } }) => {
    const stranger = await runsheet(['list'], { env: { RUNSHEET_API_KEY: 'rsk_wrong' } });
    expect([stranger.code, stranger.out]).toEqual([3, '']);
    // Ports below 1024 are never assigned automatically, and no service uses this one.
    const away = await runsheet(['list'], { env: { RUNSHEET_PORTAL: 'http://127.0.0.1:2' } });
    expect(away.code).toBe(3);
    expect(away.err).toContain('runsheet: The portal cannot be reached at http://127.0.0.1:2/: connect ECONNREFUSED');
    const unknown = await runsheet(['show', 'Nothing']);
    expect([unknown.code, unknown.err]).toEqual([3, 'runsheet: There is no activity "Nothing" that you may see\n']);
  });

  test('keeps its key in a file of the person alone', async ({
    portal,
    commandLine: { runsheet, address, startProgram, folder },
  }) => {
    const env = { RUNSHEET_PORTAL: '', RUNSHEET_API_KEY: '' };
    const none = await runsheet(['list'], { env: { ...env, RUNSHEET_PORTAL: address } });
    expect(none.err).toContain('Not signed in');
    const login = await startProgram(['login', '--key', address], { env, stdin: `${tokenOf(portal.runner)}\n` });
    expect([login.code, login.err]).toEqual([0, `Signed in to ${address}/ as ${portal.runner.UserName}\n`]);
    const file = join(folder, '.config/runsheet/logins.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const listed = await runsheet(['list'], { env: { ...env, RUNSHEET_PORTAL: address } });
    expect(listed.out).toMatch(/^Number {2}Schema +Name +Last run +Queued\n/);
    expect(listed.out).toMatch(/\d+ +Steps +Loan +Succeeded/);
    const wrong = await startProgram(['login', '--key', address], { env, stdin: 'rsk_wrong' });
    expect(wrong.code).toBe(3);
    expect(await readFile(file, 'utf8')).not.toContain('rsk_wrong');
  });
});

describe('a workbook', () => {
  test('is published and compared with what Excel saved', async ({ commandLine: { runsheet, inFolder, author } }) => {
    const made = await runsheet(['upload', inFolder('loan.xlsx'), '--name', 'Second', '--schema', 'Steps'], {
      env: author(),
    });
    expect(made.out).toMatch(/^Second is activity \d+, version 1\n3 of 3 formulas have the value that was saved/);
    const next = await runsheet(
      ['upload', inFolder('loan.xlsx'), '--activity', 'Steps/Second', '--change', 'Again', '--strict', '--json'],
      {
        env: author(),
      },
    );
    expect([next.code, JSON.parse(next.out)]).toMatchObject([0, { Version: 2 }]);
    const { out } = await runsheet(['versions', 'Second'], { env: author() });
    expect(out).toMatch(/2 .*3 of 3 .*Again\n1 /);
  });

  test('with other saved values fails a strict check, and one with faults is refused with each', async ({
    commandLine: { inFolder, runsheet, author },
  }) => {
    const stale = structuredClone(LOAN);
    stale.sheets[0]!.cells!['B1'] = { formula: 'A1*A2', value: 51 };
    await writeFile(inFolder('stale.xlsx'), await buildWorkbook(stale));
    const differs = await runsheet(['upload', inFolder('stale.xlsx'), '--schema', 'Steps', '--strict'], {
      env: author(),
    });
    expect(differs.code).toBe(1);
    expect(differs.out).toContain('S!B1 =A1*A2: saved 51, got 50');
    await writeFile(inFolder('wrong.xlsx'), 'no workbook');
    const refused = await runsheet(['upload', inFolder('wrong.xlsx'), '--schema', 'Steps'], { env: author() });
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).not.toBe('');
  });

  test('is calculated without a portal', async ({ commandLine: { startProgram, runsheet, inFolder } }) => {
    const env = { RUNSHEET_PORTAL: '', RUNSHEET_API_KEY: '' };
    const { code, out } = await startProgram(['calculate', 'loan.xlsx', 'Amount=300', '--json'], { env });
    expect([code, JSON.parse(out)]).toMatchObject([0, { Status: 'Succeeded', Outputs: { Interest: 15 } }]);
    const wrong = await runsheet(['calculate', inFolder('costs.csv')], { env });
    expect([wrong.code, wrong.out]).toEqual([2, '']);
  });
});

test('help names each command, and a shell can complete them', async ({ commandLine: { runsheet } }) => {
  const { code, out } = await runsheet(['--help']);
  expect(code).toBe(0);
  for (const name of ['login', 'list', 'run', 'logs', 'upload', 'calculate']) expect(out).toContain(`  ${name} `);
  const { out: script } = await runsheet(['completion', 'bash']);
  const asked = `${script}\nCOMP_WORDS=(runsheet run --no); COMP_CWORD=2; _runsheet; echo "\${COMPREPLY[@]}"`;
  const shell = spawn('bash', ['-c', asked]);
  expect(await readText(shell.stdout)).toBe('--no-wait\n');
  expect((await runsheet(['fly'])).code).toBe(2);
});
