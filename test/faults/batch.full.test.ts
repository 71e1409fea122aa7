/**
 * A batch whose servers are killed at random times. Each row of its sheet succeeds, some after a user reran them, and
 * the results contain all rows with the correct values. An external database counts what the rows do.
 * RUNSHEET_FAULT_SEED repeats a run, RUNSHEET_FAULT_ROWS sets the number of rows, RUNSHEET_FAULT_ROUNDS the number of
 * kills.
 */
import { setTimeout as pause } from 'node:timers/promises';
import excelJs from 'exceljs';
import { expect, test } from 'vitest';
import type { Batch, BatchPage, CheckedBatch } from '#shared/contract/batches.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { untilProgress } from '#test/support/until.ts';
import { temporaryDatabase, TEST_TIMEOUT_MS } from './fault-bench.ts';
import { killAndRestart, killAtRandom, twoServers } from './two-servers.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const ROWS = Number(process.env['RUNSHEET_FAULT_ROWS']) || 160;
const KILLS = Number(process.env['RUNSHEET_FAULT_ROUNDS']) || 6;

/** Writes its amount into the external database and doubles it. */
const DOUBLING: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 1,
        B1: { formula: 'A1*2', value: 2 },
        C1: 'Amount',
        C2: { formula: 'A1', value: 1 },
      },
      tables: [{ name: 'Marks', ref: 'C1:C2', columns: ['Amount'] }],
    },
    stepSheet([{ Step: 'Mark', Action: 'Write', Connection: 'Outside', Table: 'Marks', Target: 'Marks' }]),
  ],
  names: { in_Amount: 'S!$A$1', out_Double: 'S!$B$1' },
};

/** Sends calls like a user who retries until there is a response. */
function callsOf(address: () => string | null, token: string) {
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    for (;;) {
      const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
      const signal = AbortSignal.timeout(120_000);
      const answer = await fetch(`${address() ?? 'http://127.0.0.1:9'}${path}`, { ...init, headers, signal }).catch(
        () => null,
      );
      if (answer?.ok) return answer;
      if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      await pause(100);
    }
  }
  const json = async <T>(path: string, body?: object): Promise<T> => {
    const init = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    return ((await (await send(path, init)).json()) as { result: T }).result;
  };
  return { send, json };
}

async function readSheet(bytes: ArrayBuffer): Promise<excelJs.Workbook> {
  const workbook = new excelJs.Workbook();
  await workbook.xlsx.load(bytes as never);
  return workbook;
}

test(
  `each row of a batch whose servers are killed ends once, with its own values (seed ${random.seed})`,
  async () => {
    const outside = await temporaryDatabase({ migrated: false });
    await outside.knex.schema.createTable('Marks', (t) => void t.integer('Amount'));
    const connections = { Outside: { url: outside.url, allowWrites: true } };
    const { database, portal, worker, client, token } = await twoServers({
      RUNSHEET_CONNECTIONS: JSON.stringify(connections),
    });
    const { knex } = database;
    const { send, json } = callsOf(() => portal.address, token);
    const fields = { Id: '0', Schema: 'General', Name: 'Double', SingleRun: 'false' };
    const activityId = await client.upload(fields, 'double.xlsx', await buildWorkbook(DOUBLING));
    const download = async (path: string): Promise<excelJs.Workbook> =>
      readSheet(await (await send(`/api/files/download/${await json<string>(path)}`)).arrayBuffer());

    const sheet = await download(`/api/activities/batch/template/${activityId}`);
    const rows = sheet.worksheets[0]!;
    for (let row = 1; row <= ROWS; row += 1) rows.getCell(row + 1, 1).value = row;
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await sheet.xlsx.writeBuffer())]), 'amounts.xlsx');
    const uploaded = await send(`/api/activities/batch/upload/${activityId}`, { method: 'POST', body: form });
    const checked = (await uploaded.json()) as CheckedBatch;
    expect(checked).toMatchObject({ RowCount: ROWS, BadCount: 0 });

    // Also kills during the start: the start is sent until it is answered, and starts the rows only once.
    const began = performance.now();
    const starting = json<{ RunId: number }>('/api/activities/batch/start', { Id: checked.Id, OnlyGood: false });
    await pause(random.between(0, 150));
    await killAndRestart(portal, random);
    await killAtRandom({ database, portal, worker }, random, { times: KILLS - 1, between: [300, 1500] });
    const { RunId } = await starting;
    const standing = async (): Promise<Batch> =>
      (await json<BatchPage>(`/api/activities/batches/${activityId}`)).Batches.find((batch) => batch.RunId === RunId)!;
    const ended = (): Promise<Batch> =>
      untilProgress(
        'all rows have ended',
        standing,
        (batch) => batch.RunningChildRuns === 0 && batch.SuccessfulChildRuns + batch.FailedChildRuns === ROWS,
        { pauseMs: 200 },
      );
    let batch = await ended();
    const seconds = Math.round((performance.now() - began) / 1000);
    const interrupted = batch.FailedChildRuns;
    while (batch.FailedChildRuns > 0) {
      await json(`/api/activities/childruns/retry/${RunId}`, { StepKey: '1' });
      batch = await ended();
    }
    expect(await knex('Batches').whereNotNull('RunId').pluck('RunId')).toEqual([RunId]);

    const results = (await download(`/api/activities/batch/results/${checked.Id}`)).worksheets[0]!;
    const heads = (results.getRow(1).values as string[]).slice(1);
    const column = (name: string): number => heads.indexOf(name) + 1;
    const resultRows = Array.from({ length: ROWS }, (_, at) => {
      const row = results.getRow(at + 2);
      return [
        row.getCell(column('Amount')).value,
        row.getCell(column('Result Double')).value,
        row.getCell(column('Run status')).value,
      ];
    });
    expect(resultRows).toEqual(Array.from({ length: ROWS }, (_, at) => [at + 1, 2 * (at + 1), 'Succeeded']));

    const attempts = (await knex('ActivityRuns').where('ParentRunId', RunId).select('RowKey', 'Status')) as {
      RowKey: string;
      Status: string;
    }[];
    const byRow = Map.groupBy(attempts, ({ RowKey }) => RowKey);
    expect(byRow.size).toBe(ROWS);
    const marks = Map.groupBy((await outside.knex('Marks').pluck('Amount')) as number[], (amount) => amount);
    expect(marks.size).toBe(ROWS);
    // An interrupted run may have done its work, and does it again when it is rerun.
    const more = [...byRow].filter(([key, runs]) => {
      const abandoned = runs.filter(({ Status }) => Status === 'Abandoned').length;
      const done = marks.get(Number(key.replace('Row ', '')) - 1)?.length ?? 0;
      return runs.filter(({ Status }) => Status === 'Succeeded').length !== 1 || done > 1 + abandoned;
    });
    expect(more).toEqual([]);
    process.stdout.write(`seed ${random.seed}: ${ROWS} rows in ${seconds} s, ${interrupted} interrupted\n`);
  },
  TEST_TIMEOUT_MS,
);
