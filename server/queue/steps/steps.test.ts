/** Steps of runs with a real mail server, a real converter and the real executor. */
import excelJs from 'exceljs';
import { describe, expect } from 'vitest';
import { cellAt, savedValue } from '#server/calculation/reader/cell-index.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { parseCell } from '#shared/codecs/cell-address.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { test as base } from '#test/support/fixtures/step-portal.ts';
import { messagesOf, stepSheet } from '#test/support/step-portal.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { until } from '#test/support/until.ts';

const REPORT: Omit<WorkbookSpec, 'sheets'> & { sheets: WorkbookSpec['sheets'] } = {
  formats: ['yyyy-mm-dd', '0.00'],
  sheets: [
    {
      name: 'Data',
      cells: {
        A1: 'Item',
        B1: 'Amount',
        C1: 'Due',
        A2: '=HYPERLINK("http://x")',
        B2: { value: -5.25, style: 2 },
        C2: { value: 46_000, style: 1 },
        A3: 'Plain, with "quotes"',
        B3: { value: 1e6, style: 2 },
        C3: { value: 46_001, style: 1 },
        E1: 3,
        E2: { formula: 'E1*2', value: 6 },
        E3: 'x',
        E4: 'ann@example.com',
        E5: 'Bob <bob@example.com>',
      },
      tables: [{ name: 'Items', ref: 'A1:C3', columns: ['Item', 'Amount', 'Due'] }],
    },
  ],
  names: { in_Factor: 'Data!$E$1', out_Double: 'Data!$E$2', out_File: 'Data!$E$3', out_Items: 'Items' },
};

/** Returns the saved value of a cell in a file. */
async function cellOf(bytes: Uint8Array, sheet: string, address: string): Promise<unknown> {
  const model = readWorkbook(await openPackage(bytes));
  const { cells } = model.sheets.find(({ name }) => name === sheet)!;
  const { row, col } = parseCell(address)!;
  const at = cellAt(cells, row, col);
  return at < 0 ? null : savedValue(cells, at, model.strings);
}

const withSteps = (...steps: Parameters<typeof stepSheet>[0]): WorkbookSpec => ({
  ...REPORT,
  sheets: [...REPORT.sheets, stepSheet(steps)],
});

const ASKING: WorkbookSpec = {
  ...REPORT,
  sheets: [
    REPORT.sheets[0]!,
    {
      name: 'Ask',
      cells: {
        A1: { value: 1, style: 2 },
        A2: 'none',
        A3: { formula: 'A1*10', value: 10 },
        A4: { formula: 'IF(A2="hush",TRUE,FALSE)', value: false },
      },
    },
    stepSheet([
      { Step: 'Rate', Action: 'Prompt', Cell: 'Ask!A1', Message: 'Which rate?', Minutes: 5 },
      { Step: 'Word', Action: 'Prompt', Cell: 'Ask!A2', Message: 'The password?', Type: 'Masked' },
      { Step: 'Right', Action: 'Check', Cell: 'Ask!A4', Message: 'Wrong password' },
    ]),
  ],
  names: { ...(REPORT.names as Record<string, string>), out_Ten: 'Ask!$A$3' },
};

const it = base.extend('steps', { scope: 'file' }, async ({ portal }) => {
  const asked = (runId: number, message: string) =>
    until(`the question '${message}'`, async () => {
      const run = await portal.get(runId);
      return run.LogEntries.find((entry) => entry.prompt && entry.Message.includes(message));
    });

  const answer = (runId: number, key: string, Value: string, user = portal.runner) =>
    portal.call('POST', '/api/activities/provideinput', { ActivityRunId: runId, Key: key, Value }, user);
  const activity = (await portal.publish(ASKING, 'Asking')) as number;
  return { asked, answer, activity };
});

describe('Export', () => {
  it('writes a range as csv in which no text can become a formula, named by inputs', async ({ portal }) => {
    const step = { Action: 'Export', Output: 'File', Range: 'Items', FileName: 'Items for {Factor}/{Double}.csv' };
    const run = await portal.run(withSteps(step), 'Csv', { Factor: 4 });
    expect(messagesOf(run)).toContain("Step 'Step 1': Items for 4-8.csv");
    const { name, content } = await portal.file(run.Id, 'File');
    expect(name).toBe('Items for 4-8.csv');
    expect(content.toString('utf8').replace('\uFEFF', '')).toBe(
      'Item,Amount,Due\r\n"\'=HYPERLINK(""http://x"")",-5.25,2025-12-09\r\n"Plain, with ""quotes""",1000000,2025-12-10\r\n',
    );
    expect(run.StoredFileNames).toEqual(['Book calculated.xlsx', 'Items for 4-8.csv']);
  });

  it.for([
    ['Items[[Item]:[Amount]]', 'Item,Amount\r\n'],
    ['Items[Due]', 'Due\r\n2025-12-09\r\n2025-12-10\r\n'],
    ['Data!B2:B3', 'Amount\r\n-5.25\r\n'],
    ['Data!B1:B3', 'Amount\r\n-5.25\r\n1000000\r\n'],
    ['Data!B3:C3', '1000000,2025-12-10\r\n'],
    ['Data!B3:C4', '1000000,2025-12-10\r\n'],
  ] as const)(
    'writes %s: the data of columns below their names, other cells as they are',
    async ([Range, text], { portal }) => {
      const step = { Action: 'Export', Output: 'File', Range, Format: 'csv' };
      const run = await portal.run(withSteps(step), `Csv of ${Range.replaceAll(/\W/g, ' ')}`);
      const { content } = await portal.file(run.Id, 'File');
      expect(content.toString('utf8').replace('\uFEFF', '').slice(0, text.length)).toBe(text);
    },
  );

  it('writes a range as xlsx with values and formats, and texts as texts', async ({ portal }) => {
    const run = await portal.run(withSteps({ Action: 'Export', Output: 'File', Range: 'Items' }), 'Xlsx');
    const { name, content } = await portal.file(run.Id, 'File');
    expect(name).toBe('File.xlsx');
    const book = new excelJs.Workbook();
    await book.xlsx.load(content as unknown as excelJs.Buffer);
    const sheet = book.worksheets[0]!;
    expect(sheet.getCell('A2').value).toBe('=HYPERLINK("http://x")');
    expect(sheet.getCell('B2').value).toBe(-5.25);
    expect(sheet.getCell('B2').numFmt).toBe('0.00');
    expect(sheet.getCell('C3').value).toBeInstanceOf(Date);
  });

  it('writes the whole workbook as it is calculated at that step', async ({ portal }) => {
    const run = await portal.run(withSteps({ Action: 'Export', Output: 'File', Format: 'xlsx' }), 'Whole', {
      Factor: 9,
    });
    const { content } = await portal.file(run.Id, 'File');
    expect(await cellOf(content, 'Data', 'E2')).toBe(18);
  });

  it('makes a PDF where a converter is installed, and is a fault at upload elsewhere', async ({ portal }) => {
    const spec = withSteps({ Action: 'Export', Output: 'File', Range: 'Items', Format: 'pdf' });
    if (portal.pdfProgram === null) {
      expect(await portal.publish(spec, 'Pdf')).toMatchObject([
        { Message: expect.stringContaining('no PDF converter') },
      ]);
      return;
    }
    const run = await portal.run(spec, 'Pdf');
    const { name, content } = await portal.file(run.Id, 'File');
    expect(name).toBe('File.pdf');
    expect(content.subarray(0, 5).toString()).toBe('%PDF-');
  });
});

describe('Mail', () => {
  it('sends outputs and files to addresses of cells, once', async ({ portal }) => {
    const run = await portal.run(
      withSteps(
        { Step: 'List', Action: 'Export', Output: 'File', Range: 'Items', Format: 'csv' },
        {
          Step: 'Tell',
          Action: 'Mail',
          To: 'Data!E4:E5',
          Cc: 'carl@example.com',
          Subject: { formula: '"Double is "&Data!E2', value: 'Double is 6' },
          Message: 'See the files.',
          Attach: 'List; Items; Workbook',
        },
      ),
      'Mail',
      { Factor: 21 },
    );
    expect(run.Status).toBe('Succeeded');
    expect(portal.mails.mails).toHaveLength(1);
    const [mail] = portal.mails.mails;
    expect(mail!.to).toEqual(['ann@example.com', 'bob@example.com', 'carl@example.com']);
    expect(mail!.source).toContain('Subject: Double is 42');
    for (const file of ['File.csv', 'Items.xlsx', 'Book calculated.xlsx']) expect(mail!.source).toContain(file);
    expect(messagesOf(run).at(-1)).toContain('was sent to 3 recipients');
  });

  it('ends the run with a plain reason where it cannot be sent', async ({ portal }) => {
    const mail = { Action: 'Mail', To: 'eve@elsewhere.org', Subject: 'Hi', Message: 'Hi' };
    const run = await portal.run(withSteps(mail), 'Foreign');
    expect(run.Status).toBe('Failed');
    expect(messagesOf(run).at(-1)).toBe("Step 'Step 1': this server sends no mails to elsewhere.org");
    const lines = {
      Action: 'Mail',
      To: 'ann@example.com',
      Subject: { formula: '"a"&CHAR(10)&"Bcc: eve@example.com"', value: 'a' },
    };
    const injected = await portal.run(withSteps(lines), 'Injected');
    expect(messagesOf(injected).at(-1)).toContain('must be one line');
    expect(portal.mails.mails).toHaveLength(1);
  });
});

describe('Prompt', () => {
  it('puts a number into a blank cell with which formulas calculate', async ({ portal, steps: { asked, answer } }) => {
    const [report] = REPORT.sheets;
    const blank: WorkbookSpec = {
      ...REPORT,
      sheets: [
        report!,
        { name: 'Ask', cells: { A3: { formula: 'SUM(A1:A2)', value: 0 } } },
        stepSheet([{ Step: 'Rate', Action: 'Prompt', Cell: 'Ask!A1', Message: 'How many?' }]),
      ],
      names: { ...(REPORT.names as Record<string, string>), out_Sum: 'Ask!$A$3' },
    };
    const runId = await portal.start((await portal.publish(blank, 'Blank')) as number);
    const question = await asked(runId, 'How many?');
    await answer(runId, question.prompt!.key, '20');
    const run = await portal.ended(runId);
    expect(run.Outputs.find(({ Name }) => Name === 'Sum')!.Value).toBe('20');
  });

  it('asks in the log, takes answers, asks again for what is no number, and shows a masked one nowhere', async ({
    portal,
    steps: { activity, asked, answer },
  }) => {
    const runId = await portal.start(activity);
    const first = await asked(runId, 'Which rate?');
    expect(Object.keys(first.prompt!).sort()).toEqual(['expiry', 'key', 'type']);
    expect(first.prompt!.type).toBe('Text');
    expect(new Date(first.prompt!.expiry).getTime()).toBeGreaterThan(Date.now() + 200_000);
    expect(await answer(runId, first.prompt!.key, 'many')).toMatchObject({ status: 200 });
    const again = await asked(runId, 'Please answer with a number. Which rate?');
    expect((await answer(runId, first.prompt!.key, '5')).body.message).toBe('This question has been answered already');
    await answer(runId, again.prompt!.key, '4.5');
    const secret = await asked(runId, 'The password?');
    expect(secret.prompt!.type).toBe('Masked');
    await answer(runId, secret.prompt!.key, 'hush');
    const run = await portal.ended(runId);
    expect(run.Status).toBe('Succeeded');
    expect(run.Outputs.find(({ Name }) => Name === 'Ten')!.Value).toBe('45');
    expect(run.LogEntries.every(({ prompt }) => prompt === undefined)).toBe(true);
    expect(messagesOf(run).join()).not.toContain('hush');
    const rows = await portal.app.database.knex('RunPrompts').where('ActivityRunId', runId);
    expect(rows.every(({ EncryptedAnswer, ClosedTime }) => EncryptedAnswer === null && ClosedTime !== null)).toBe(true);
    const token = (await portal.call('GET', `/api/activities/downloadFiles/${runId}`)).body.result;
    const file = await portal.app.http.inject({ method: 'GET', url: `/api/files/download/${token}` });
    expect(await cellOf(file.rawPayload, 'Ask', 'A1')).toBe(4.5);
    expect(await cellOf(file.rawPayload, 'Ask', 'A2')).toBeNull();
    // Cells that depend on the masked answer are calculated without it.
    expect(await cellOf(file.rawPayload, 'Ask', 'A4')).toBe(false);
  });

  it('keeps an answer encrypted in the database for all but the worker that waits', async ({
    portal,
    steps: { activity, asked },
  }) => {
    const runId = await portal.start(activity);
    const { prompt } = await asked(runId, 'Which rate?');
    // Read the row right after the answer, before the worker has polled.
    const { answerPrompt } = await import('./run-prompts.ts');
    const seen: string[] = [];
    const { knex } = portal.app.database;
    await answerPrompt(portal.app.database, {
      runId,
      key: prompt!.key,
      value: '123456789',
      userId: portal.runner.UserId,
    });
    const [row] = await knex('RunPrompts').where('PromptKey', prompt!.key);
    seen.push(JSON.stringify(row));
    expect(seen.join()).not.toContain('123456789');
    await asked(runId, 'The password?');
    await portal.call('POST', `/api/activities/cancel/${runId}`);
    await portal.ended(runId);
  });

  it('is shown only to the user who started the run', async ({ portal, steps: { activity, asked, answer } }) => {
    const runId = await portal.start(activity);
    const { prompt } = await asked(runId, 'Which rate?');
    const { LogEntries } = await portal.get(runId, portal.author);
    expect(LogEntries.some(({ Message }) => Message === 'Which rate?')).toBe(true);
    expect(LogEntries.every((entry) => entry.prompt === undefined)).toBe(true);
    expect(await answer(runId, prompt!.key, '1', portal.author)).toMatchObject({
      status: 403,
      body: { message: 'Only the user who started the run may answer its questions' },
    });
    await portal.call('POST', `/api/activities/cancel/${runId}`);
    const run = await portal.ended(runId);
    expect(run.Status).toBe('Cancelled');
    expect((await answer(runId, prompt!.key, '1')).status).toBe(409);
  });

  it.runIf(isFullSet)(
    'leaves its place to other runs while it waits',
    async ({ portal, steps: { activity, asked } }) => {
      const waiting = await Promise.all(Array.from({ length: 4 }, () => portal.start(activity)));
      for (const runId of waiting) await asked(runId, 'Which rate?');
      const other = await portal.run(withSteps({ Action: 'Log', Message: 'Here' }), 'Other');
      expect(other.Status).toBe('Succeeded');
      for (const runId of waiting) await portal.call('POST', `/api/activities/cancel/${runId}`);
      for (const runId of waiting) expect((await portal.ended(runId)).Status).toBe('Cancelled');
    },
  );

  it('ends the run where nobody answers in time', async ({ portal }) => {
    const spec = withSteps({ Step: 'Quick', Action: 'Prompt', Cell: 'Data!E1', Message: 'Now?', Minutes: 0.02 });
    const run = await portal.run(spec, 'Quick');
    expect(run.Status).toBe('Failed');
    expect(messagesOf(run).at(-1)).toBe("Step 'Quick': nobody answered in time");
  });
});

describe('an upload', () => {
  it('reports every problem of its steps at once, with sheet, cell and how to fix it', async ({ portal }) => {
    const problems = await portal.publish(
      withSteps(
        { Step: 'A', Action: 'Export', Output: 'Nothing', Format: 'csv' },
        { Step: 'B', Action: 'Mail', To: 'no address@', Subject: 'x', Attach: 'Z' },
        { Step: 'C', Action: 'Prompt', Cell: 'Data!E2', Message: 'm', Type: 'Masked', Minutes: 5000 },
        { Step: 'D', Action: 'Log', Message: { formula: 'Data!E2', value: 6 }, When: 'Data!E2' },
        { Step: 'E', Action: 'Query', Connection: 'None', Query: 'delete from x', Table: 'Items' },
      ),
      'Faulty',
    );
    expect(Array.isArray(problems)).toBe(true);
    const messages = (problems as { Sheet: string; Cell: string; Message: string; Remedy: string }[]).map(
      ({ Message }) => Message,
    );
    for (const part of [
      "no output 'Nothing'",
      'creates a csv file, which can contain only one range',
      "'no address@' is not a valid email address",
      "attaches 'Z'",
      'Minutes must be',
      "output 'Double' would show the answer to a masked prompt",
      "When of the step 'D' would show",
      "no connection 'None'",
      'does not begin with SELECT',
    ])
      expect(messages.join('\n')).toContain(part);
    expect(
      (problems as { Sheet: string; Remedy: string }[]).every(
        ({ Sheet, Remedy }) => Sheet === 'Portal' && Remedy !== '',
      ),
    ).toBe(true);
  });
});
