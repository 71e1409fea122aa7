import { buffer } from 'node:stream/consumers';
import excelJs from 'exceljs';
import { fromBufferPromise as openZip } from 'yauzl';
import { describe, expect } from 'vitest';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { multipart } from '#test/support/portal.ts';
import { test as base } from '#test/support/fixtures/run-portal.ts';

const test = base.extend('files', { scope: 'file' }, async ({ portal }) => {
  const download = async (token: string) => {
    const answer = await portal.app.http.inject({ url: `/api/files/download/${token}` });
    expect(answer.statusCode).toBe(200);
    return { name: String(answer.headers['content-disposition']), bytes: answer.rawPayload };
  };

  const upload = async (content: string, name = 'in.csv') => {
    const body = multipart({ ActivityInputId: String(portal.ids['File']), LinkId: '' }, [{ name, content }]);
    const answer = await portal.app.http.inject({
      method: 'POST',
      url: '/api/files/upload',
      headers: { ...portal.owner.headers, ...body.headers },
      payload: body.payload,
    });
    return { status: answer.statusCode, body: answer.json() };
  };

  return { download, upload };
});

describe('files and tables of a run', () => {
  test('an uploaded file reaches the run, and can be fetched back under its name', async ({
    portal,
    files: { upload, download },
  }) => {
    let read = '';
    portal.executor.onRun = async (request) => {
      const [file] = request.inputs.find(({ Name }) => Name === 'File')!.files;
      read = `${file!.FileName}: ${Buffer.from(await file!.read()).toString()}`;
      return SUCCESS;
    };
    expect((await upload('MZ\u0000x', 'in.xlsx')).body.Message).toMatch(/^in.xlsx is a program, not /);
    const { Items } = (await upload('a;b', '../Zürich?1.csv')).body;
    expect(Items).toEqual([{ Id: expect.any(String), Name: 'Zürich_1.csv' }]);
    const file = { ActivityParameterId: portal.ids['File'], FileId: Items[0].Id, FileName: 'other.exe', ArrayIndex: 0 };
    const Id = await portal.started({ Inputs: [portal.amount(1), file] });
    await portal.ended(Id);
    portal.executor.onRun = async () => SUCCESS;
    expect(read).toBe('Zürich_1.csv: a;b');
    const token = (await portal.get(`input/download/${Id}/${portal.ids['File']}/0`)).body.result;
    const { name, bytes } = await download(token);
    expect(bytes.toString()).toBe('a;b');
    expect(name).toContain(`filename*=UTF-8''Z%C3%BCrich_1.csv`);
    // A user with disabled input downloads sees the run, but does not get the file.
    const user = portal.app.database.knex('Users').where('UserId', portal.owner.UserId);
    await user.clone().update({ DisableInputDownload: true });
    expect((await portal.get(`input/download/${Id}/${portal.ids['File']}/0`)).status).toBe(403);
    expect((await portal.get(`input/download/${Id}/${portal.ids['File']}`)).status).toBe(403);
    await user.clone().update({ DisableInputDownload: false });
    // A browser sends a quotation mark in a name as %22.
    expect((await upload('a;b', '3.5%22 disks.csv')).body.Items[0].Name).toBe('3.5_ disks.csv');
    // Nobody else can use the file for a start.
    const theft = await portal.start({ Inputs: [portal.amount(1), file] }, portal.stranger.headers);
    expect(theft.body.modelState).toEqual({ File: ['Please choose a file'] });
  });

  test('a file over the input’s limit is refused with the limit, and nothing stays', async ({
    portal,
    files: { upload },
  }) => {
    const before = await portal.app.database.knex('StoredFiles').count({ n: '*' });
    expect(await upload('0123456789')).toMatchObject({ status: 200 });
    expect(await upload('01234567890')).toEqual({
      status: 413,
      body: { Message: 'Size of the input file exceeds the limit of 10 Bytes' },
    });
    const after = await portal.app.database.knex('StoredFiles').count({ n: '*' });
    expect(Number(after[0]!.n)).toBe(Number(before[0]!.n) + 1);
  });

  test('an upload that is cut off is refused, and nothing stays', async ({ portal }) => {
    const whole = multipart({ ActivityInputId: String(portal.ids['File']) }, [{ name: 'in.csv', content: 'a;b' }]);
    const before = await portal.app.fileStore.list('', 1000);
    for (const bytes of [20, 90, whole.payload.length - 30]) {
      const answer = await portal.app.http.inject({
        method: 'POST',
        url: '/api/files/upload',
        headers: { ...portal.owner.headers, ...whole.headers },
        payload: whole.payload.subarray(0, bytes),
      });
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { Message: 'The request is incomplete: its last part is cut off' },
      ]);
    }
    expect(await portal.app.fileStore.list('', 1000)).toEqual(before);
  });

  test('tables become workbooks in which no text is a formula', async ({ portal, files: { download } }) => {
    const Value = JSON.stringify([
      [46_000, '=1+1', 0.5],
      [46_001.5, '+cmd', null],
      [{ error: '#N/A' }, 'x', 1],
    ]);
    portal.executor.onRun = async () => ({ ...SUCCESS, outputs: [{ Name: 'Table', Value, Rows: 3 }] });
    const Id = await portal.started();
    await portal.ended(Id);
    portal.executor.onRun = async () => SUCCESS;
    const token = (
      await portal.post(`outputdata/download/${Id}/${portal.ids['Table']}`, { FilteredRowIndices: [2, 0] })
    ).body.result;
    const { name, bytes } = await download(token);
    expect(name).toContain('Table.xlsx');
    const workbook = new excelJs.Workbook();
    await workbook.xlsx.load(bytes as never);
    const sheet = workbook.getWorksheet('Table')!;
    expect(sheet.getRow(1).values).toEqual([undefined, 'Day', 'Text', 'Rate']);
    expect(sheet.getRow(2).getCell(1).value).toEqual({ error: '#N/A' });
    const cell = sheet.getRow(3).getCell(2);
    expect([cell.value, cell.type]).toEqual(['=1+1', excelJs.ValueType.String]);
    expect(sheet.getRow(3).getCell(1).value).toEqual(new Date(Date.UTC(2025, 11, 9)));
    expect(sheet.getRow(3).getCell(3).numFmt).toBe('0.00%');
    expect(sheet.rowCount).toBe(3);
  });

  test('all files come as one .zip, marked when some are missing', async ({ portal, files: { download } }) => {
    portal.executor.onRun = async () => ({
      ...SUCCESS,
      files: [
        { Name: null, FileName: 'a.xlsx', bytes: Buffer.from('calculated') },
        { Name: 'Report', FileName: 'A.xlsx', bytes: Buffer.from('report') },
      ],
    });
    const Id = await portal.started();
    const run = await portal.ended(Id);
    portal.executor.onRun = async () => SUCCESS;
    expect(run.StoredFileNames).toEqual(['a.xlsx', 'A.xlsx']);
    const token = (await portal.get(`downloadFiles/${Id}`)).body.result;
    expect(await unzip((await download(token)).bytes)).toEqual({ 'a.xlsx': 'calculated', 'A (2).xlsx': 'report' });
    const one = (await portal.get(`output/download/${Id}/${portal.ids['Report']}`)).body.result;
    expect((await download(one)).bytes.toString()).toBe('report');
    const rows = await portal.app.database.knex('StoredFiles').where({ FileName: 'A.xlsx' });
    await portal.app.fileStore.delete(rows[0].StoreKey);
    const partial = (await portal.get(`downloadFiles/${Id}`)).body.result as string;
    expect(partial.startsWith('<PARTIAL>')).toBe(true);
    expect(await unzip((await download(partial.slice('<PARTIAL>'.length))).bytes)).toEqual({ 'a.xlsx': 'calculated' });
    expect(await portal.get(`output/download/${Id}/${portal.ids['Report']}`)).toEqual({
      status: 404,
      body: { message: 'Some files are missing.' },
    });
  });

  test('a token is stored as a hash, and ends after two minutes or where its person is disabled', async ({
    portal,
    files: { download },
  }) => {
    portal.executor.onRun = async (request) => {
      request.onLog({ Message: 'bad', StatusCode: 5, Category: 3 });
      return { ...SUCCESS, status: 'Failed' };
    };
    const Id = await portal.started();
    await portal.ended(Id);
    portal.executor.onRun = async () => SUCCESS;
    const token = (await portal.get(`download/errorreport/${Id}`)).body.result as string;
    const workbook = new excelJs.Workbook();
    await workbook.xlsx.load((await download(token)).bytes as never);
    const row = workbook.getWorksheet('Log')!.getRow(2);
    expect([row.getCell(2).value, row.getCell(3).value, row.getCell(4).value]).toEqual([5, 'Error', 'bad']);
    const tokens = await portal.app.database.knex('DownloadTokens');
    expect(tokens.some(({ TokenHash }) => TokenHash === token)).toBe(false);
    const owner = portal.app.database.knex('Users').where('UserId', portal.owner.UserId);
    await owner.clone().update({ Enabled: false });
    const refused = await portal.app.http.inject({ url: `/api/files/download/${token}` });
    await owner.clone().update({ Enabled: true });
    expect(refused.statusCode).toBe(404);
    await download(token);
    await portal.app.database.knex('DownloadTokens').update({ ExpiryTime: new Date(Date.now() - 1) });
    expect((await portal.app.http.inject({ url: `/api/files/download/${token}` })).statusCode).toBe(404);
  });
});

async function unzip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await openZip(bytes);
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    files[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
  }
  return files;
}
