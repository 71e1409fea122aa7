/** Tests folder inputs: who sees which folders, who may choose them, and what a start accepts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { input } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

const UNCONFIGURED = 'Activity cannot be run because it is not configured correctly';

let app: TestApp;
let editor: Awaited<ReturnType<typeof signedInUser>>;
let runner: typeof editor;
let activityId: number;

beforeAll(async () => {
  app = await testApp({ settings: { staticFolders: ['Rates=/srv/rates', 'Deals=/srv/deals', 'Old=/srv/old'] } });
  editor = await signedInUser(app, ['sk.RunActivity', { right: 'sk.EditActivity', Schema: 'Test' }]);
  runner = await signedInUser(app, ['sk.RunActivity']);
  const inputs = [
    input('Source', { CellUsages: ['StaticFolder'] }),
    input('Chosen', { CellUsages: ['FolderPath'] }),
    input('Some', { CellUsages: ['FolderPath'], Blanks: [true] }, [['deals', 'Elsewhere']]),
  ];
  activityId = await insertActivity(app.database.knex, {
    UserId: editor.UserId,
    definition: { ...EMPTY_DEFINITION, inputs },
  });
});
afterAll(() => app.close());

const call = async (method: 'GET' | 'POST', url: string, payload?: object, headers = runner.headers) => {
  const answer = await app.http.inject({ method, url: `/api/${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};

const details = async (): Promise<Activity> => (await call('GET', `activities/details/${activityId}`)).body.result;

const inputNamed = async (name: string): Promise<Input> => (await details()).Inputs.find(({ Name }) => Name === name)!;

const preset = async (FolderKey: string | null, headers = editor.headers) => {
  const { Id, ActivityId } = await inputNamed('Source');
  const PresetValue = FolderKey === null ? null : JSON.stringify(FolderKey);
  return call('POST', 'activities/updatepresetvals', [{ Id, ActivityId, PresetValue }], headers);
};

const start = async (values: Record<string, string>) => {
  const { Inputs } = await details();
  const sent = Object.entries(values).map(([name, value]) => ({
    ActivityParameterId: Inputs.find(({ Name }) => Name === name)!.Id,
    Value: JSON.stringify(value),
  }));
  return call('POST', 'activities/start', {
    ActivityId: activityId,
    ActivityVersion: 1,
    UniqueId: null,
    Inputs: sent,
  });
};

const pick = async (name: string): Promise<string[]> => {
  const { Id } = await inputNamed(name);
  const { body } = await call('POST', `activities/picker/${activityId}/${Id}/0`, { All: true });
  return body.result.Items.map(({ Value }: { Value: string }) => Value);
};

describe('static folders', () => {
  test('are listed by their names, never their paths, for those who edit activities', async () => {
    const listed = await call('GET', 'files/staticFolders', undefined, editor.headers);
    expect(listed.body.result.Items).toEqual([
      { FolderKey: 'Rates', Name: 'Rates' },
      { FolderKey: 'Deals', Name: 'Deals' },
      { FolderKey: 'Old', Name: 'Old' },
    ]);
    expect((await call('GET', 'files/staticFolders')).status).toBe(403);
    expect((await call('GET', 'files/staticFolders', undefined, {} as never)).status).toBe(401);
  });
});

describe('an input of the usage StaticFolder', () => {
  test('keeps the activity from running until it is preset, whatever is sent', async () => {
    const { status, body } = await start({ Chosen: 'Rates', Source: 'Rates' });
    expect(status).toBe(400);
    expect(body.modelState).toEqual({ Source: [UNCONFIGURED] });
  });

  test('is preset to a folder of the server, and to nothing else', async () => {
    for (const wrong of ['/srv/rates', 'Elsewhere', '../Rates']) {
      const { status, body } = await preset(wrong);
      expect(status).toBe(400);
      expect(body.modelState).toEqual({ Source: ['Please choose a valid value.'] });
    }
    expect((await preset('Rates', runner.headers)).status).toBe(403);
    expect((await preset('Rates')).status).toBe(200);
    expect((await inputNamed('Source')).PresetValue).toBe('{"FolderKey":"Rates"}');
  });

  test('says that its folder is no longer there, and then nobody can start', async () => {
    const folders = ['Deals'];
    const version = await createVersionCatalog(app.database.knex, { folders }).get(activityId, 1);
    await preset('Old');
    const elsewhere = await testInputs(version!);
    expect(elsewhere.PresetValueError).toBe('The preset value does not fit this version: Please choose a valid value.');
    await preset('Rates');
  });

  async function testInputs(version: NonNullable<Awaited<ReturnType<TestApp['versions']['get']>>>) {
    const person = {
      ...editor,
      FirstName: '',
      LastName: '',
      Source: 'Local' as const,
      IsUserAdmin: false,
      SessionId: '',
    };
    const inputs = await app.activities.inputsFor(person, { Id: activityId, Schema: 'Test' }, version);
    return inputs.find(({ Name }) => Name === 'Source')!;
  }
});

describe('an input of the usage FolderPath', () => {
  test('offers the folders of the server, or those that the workbook names', async () => {
    expect(await pick('Chosen')).toEqual(['Rates', 'Deals', 'Old']);
    expect(await pick('Some')).toEqual(['Deals']);
  });

  test('takes nothing else', async () => {
    const wrong = await start({ Chosen: '/srv/rates', Some: 'Rates' });
    expect(wrong.status).toBe(400);
    expect(wrong.body.modelState).toEqual({
      Chosen: ['Please choose a valid value.'],
      Some: ['Please choose a valid value.'],
    });
    expect((await start({ Chosen: '' })).body.modelState).toEqual({ Chosen: ['Value must be provided'] });
    const right = await start({ Chosen: 'Rates', Some: 'Deals' });
    expect(right.status).toBe(200);
    const storedValues = (await app.database
      .knex('RunInputs')
      .where('ActivityRunId', right.body.result.Id)
      .orderBy('ActivityParameterId')
      .pluck('Value')) as string[];
    expect(storedValues).toEqual(['{"FolderKey":"Rates"}', '"Rates"', '"Deals"']);
  });
});
