/**
 * Request bodies from sections 3 and 7 of the activity specification: more than a call requires, less than our client
 * sends.
 */
import { expect, test } from 'vitest';
import { linkedActivities } from '#test/support/linked-activities.ts';

const links = linkedActivities();
const details = async (id: number) => (await links.get(`details/${id}`, links.editor)).body.result;

test('an activity may be sent back to update as its details answered it', async () => {
  const activity = await details(links.sourceId);
  const { status, body } = await links.post('update', { ...activity, Description: 'changed' }, links.editor);
  expect([status, body]).toMatchObject([200, { result: { Id: links.sourceId } }]);
  expect((await details(links.sourceId)).Description).toBe('changed');
  const unknown = await links.post('update', { ...activity, Colour: 'red' }, links.editor);
  expect(unknown.status).toBe(400);
});

test('whole inputs may be sent as preset values', async () => {
  const { Inputs } = await details(links.targetId);
  const [amount] = Inputs;
  const sent = await links.post('updatepresetvals', [{ ...amount, PresetValue: '7' }], links.editor);
  expect([sent.status, sent.body.result[0]]).toMatchObject([200, { PresetValue: '7' }]);
  await links.post('updatepresetvals', [{ ...amount, PresetValue: null }], links.editor);
});

test('a form may be calculated without a UniqueId', async () => {
  const { status, body } = await links.post('updateui', { ActivityId: links.targetId, ActivityVersion: 1, Inputs: [] });
  expect([status, body.result.UniqueId]).toEqual([200, expect.any(String)]);
});

const runInput = (more: object) => ({
  ActivityRunId: null,
  ArrayIndex: 0,
  ChecklistInputName: null,
  Compression: null,
  ContentLength: null,
  FileId: null,
  FileName: null,
  HasPresetValue: false,
  ParameterInfo: null,
  UseDefault: false,
  files: [],
  message: '',
  suggestedValue: null,
  userChanged: true,
  ...more,
});

test('a run input value has all fields of section 3, and a start needs no UniqueId', async () => {
  const Inputs = [
    runInput({ ActivityParameterId: links.inputs['Amount'], Value: '12' }),
    runInput({ ActivityParameterId: links.inputs['Lines'], Value: '[["a",1]]' }),
    runInput({ ActivityParameterId: links.inputs['Guarded'], Value: null, UseDefault: true }),
  ];
  const body = { ActivityId: links.targetId, ActivityVersion: 1, Inputs };
  const started = await links.post('start', body, links.editor);
  expect([started.status, started.body.result]).toMatchObject([200, { Id: expect.any(Number), LogEntries: [] }]);
  const run = (await links.get(`status/${started.body.result.Id}?activity=true`, links.editor)).body.result;
  expect(run).toMatchObject({ ChecklistRunId: null, ChecklistName: null });
  expect((await details(links.targetId)).LastRun).toMatchObject({ Id: started.body.result.Id });
  const refused = await links.post('start', { ...body, Inputs: [{ ...Inputs[0], Colour: 'red' }] }, links.editor);
  expect(refused.status).toBe(400);
});

test('a history query may carry the fields of checklists, and lists that are null', async () => {
  const query = { ChecklistId: null, ActivityId: links.sourceId, ApproxRows: 20, PrevRunId: null };
  const sent = { ...query, FetchWorkflowRuns: false, Statuses: null, UserIds: null };
  const { status, body } = await links.post('runhistory', sent, links.editor);
  expect([status, body.result.Activity.Name]).toEqual([200, 'Plan']);
  expect((await links.post('runhistory', { ApproxRows: 20 }, links.editor)).status).toBe(200);
});

test('in a history query empty lists filter nothing, and 0 is no run before', async () => {
  const all = { ApproxRows: 20, PrevRunId: null };
  const empty = { ApproxRows: 20, PrevRunId: 0, Statuses: [], UserIds: [] };
  const ids = async (query: object): Promise<number[]> => {
    const { status, body } = await links.post('runhistory', query, links.editor);
    expect(status).toBe(200);
    return body.result.Runs.map(({ Id }: { Id: number }) => Id);
  };
  const [first] = await ids({ ActivityId: links.sourceId, ...all });
  expect(first).toEqual(expect.any(Number));
  expect(await ids({ ActivityId: links.sourceId, ...empty })).toEqual(
    await ids({ ActivityId: links.sourceId, ...all }),
  );
  const name = await links.app.database.knex('Users').where('UserId', links.editor.UserId).first('UserName');
  const named = { ActivityId: links.sourceId, RunBy: name.UserName };
  expect(await ids({ ...named, ...empty })).toEqual(await ids({ ...named, ...all }));
});

test('versions are listed without Schema and ModifiedMin, and an empty Schema is every schema', async () => {
  const names = async (body: object): Promise<string[]> => {
    const answer = await links.post('versions/all', body, links.editor);
    expect(answer.status).toBe(200);
    return answer.body.result.ListItems.Items.map(({ Name }: { Name: string }) => Name);
  };
  const all = await names({ ApproxRows: 20, Schema: null, FetchSchemas: true, ModifiedMin: null });
  expect(all.length).toBeGreaterThan(1);
  expect(await names({ ApproxRows: 20, FetchSchemas: true })).toEqual(all);
  expect(await names({ ApproxRows: 20, Schema: '', FetchSchemas: false })).toEqual(all);
});

test('a link may be sent back to writelink and deletelink as its details answered it', async () => {
  const link = {
    Id: 0,
    ActivityId: links.sourceId,
    LinkedActivityId: links.targetId,
    LinkInfo: '[]',
    Name: 'As given',
  };
  const made = (await links.post('writelink', link, links.editor)).body.result.Id;
  const given = (await links.get(`linkdetails/${made}`, links.editor)).body.result;
  const renamed = await links.post('writelink', { ...given, Name: 'As sent back' }, links.editor);
  expect([renamed.status, renamed.body.result.Id]).toEqual([200, made]);
  expect((await links.post('writelink', { ...given, Colour: 'red' }, links.editor)).status).toBe(400);
  expect((await links.post('deletelink', given, links.editor)).status).toBe(200);
});
