import { describe, expect } from 'vitest';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { test } from '#test/support/fixtures/run-portal.ts';
import { readPdf } from '#test/support/read-pdf.ts';

describe('the PDF file of a run', () => {
  test('has its values in the language and region of the request, else those that the person chose', async ({
    portal,
  }) => {
    const download = async (search: string) => {
      const { body } = await portal.get(`pdf/${Id}${search}`);
      const answer = await portal.app.http.inject({ url: `/api/files/download/${String(body.result)}` });
      const [text] = readPdf(answer.rawPayload).pages as [string];
      return { text, name: String(answer.headers['content-disposition']) };
    };
    portal.executor.onRun = async () => ({ ...SUCCESS, outputs: [{ Name: 'Total', Value: '1234.5', Rows: null }] });
    const Id = await portal.started({ Inputs: [portal.amount(250_000)] });
    await portal.ended(Id);
    portal.executor.onRun = async () => SUCCESS;
    const german = await download('?Language=de&Region=de-DE&TimeZone=Europe%2FBerlin');
    expect(german.name).toContain(`${Id}.pdf`);
    for (const part of ['Ergebnisse', '1234,5', 'Eingaben', 'Europe/Berlin']) expect(german.text).toContain(part);
    const english = await download('');
    for (const part of ['Outputs', '1234.5', 'Inputs', `Run number|${Id}`]) expect(english.text).toContain(part);
    const user = portal.app.database.knex('Users').where('UserId', portal.owner.UserId);
    await user.clone().update({ Language: 'de', Region: 'de-DE' });
    expect((await download('')).text).toContain('1234,5');
    await user.clone().update({ Language: null, Region: null });
  });

  test('is for those who may see the run, when it has ended', async ({ portal }) => {
    const release = portal.holdRuns();
    const Id = await portal.started();
    expect(await portal.get(`pdf/${Id}`)).toEqual({ status: 409, body: { message: 'The run has not ended yet' } });
    release();
    await portal.ended(Id);
    expect((await portal.get(`pdf/${Id}`, portal.stranger.headers)).body).toEqual({ message: 'There is no such run' });
    expect((await portal.get(`pdf/${Id}`, portal.watcher.headers)).status).toBe(200);
    for (const search of ['TimeZone=Nowhere', 'Language=fr', 'Region=xx', 'Plots=1;2', 'More=1'])
      expect((await portal.get(`pdf/${Id}?${search}`)).status).toBe(400);
  });
});
