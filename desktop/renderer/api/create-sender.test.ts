/** Something is created on a real server; the network loses responses. */
import { expect, test as base } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { signedInUser } from '#test/support/users.ts';
import { AppFailure } from './app-failure.ts';
import { createSender } from './create-sender.ts';

interface Made {
  Id: number;
  Revision: number;
}

const test = base
  .extend('app', { scope: 'file' }, async ({}, { onCleanup }) => {
    const app = await testApp();
    onCleanup(() => app.close());
    return app;
  })
  .extend('form', async ({ app: { http, database }, app }) => {
    const user = await signedInUser(app);
    const network = { losesResponses: false, losesRequests: false, refusesWith: 0 };
    const save = async (payload: object, headers: object = {}): Promise<Made> => {
      if (network.refusesWith > 0) throw new AppFailure('Refused', { status: network.refusesWith });
      if (network.losesRequests) throw new AppFailure('The server cannot be reached.');
      const answer = await http.inject({
        method: 'POST',
        url: '/api/dashboards/save',
        headers: { ...user.headers, ...headers },
        payload: { Tiles: [], ...payload },
      });
      if (network.losesResponses) throw new AppFailure('The server cannot be reached.');
      const body = answer.json<{ result: Made; message?: string }>();
      if (answer.statusCode !== 200) throw new AppFailure(body.message ?? '', { status: answer.statusCode });
      return body.result;
    };
    const send = createSender<string, Made>({
      create: (Name, headers) => save({ Id: null, Revision: 0, Name }, headers),
      change: ({ Id, Revision }, Name) => save({ Id, Revision, Name }),
    });
    const names = async () =>
      (await database.knex('Dashboards').where('UserId', user.UserId).orderBy('Id').pluck('Name')) as string[];
    return Object.assign(network, { send, names });
  });

test('what was created by a call whose response was lost is not created again', async ({ form }) => {
  form.losesResponses = true;
  await expect(form.send('Sales')).rejects.toMatchObject({ status: 0 });
  await expect(form.send('Sales')).rejects.toMatchObject({ status: 0 });
  form.losesResponses = false;
  expect(await form.send('Sales')).toMatchObject({ Revision: 1 });
  expect(await form.names()).toEqual(['Sales']);
});

test('content that was edited since changes what was created', async ({ form }) => {
  form.losesResponses = true;
  await expect(form.send('Sales')).rejects.toMatchObject({ status: 0 });
  form.losesResponses = false;
  expect(await form.send('Sales of the year')).toMatchObject({ Revision: 2 });
  expect(await form.names()).toEqual(['Sales of the year']);
});

test('a call that never arrived is repeated with its key', async ({ form }) => {
  form.losesRequests = true;
  await expect(form.send('Sales')).rejects.toMatchObject({ status: 0 });
  form.losesRequests = false;
  await form.send('Costs');
  expect(await form.names()).toEqual(['Costs']);
});

test('a refused call is corrected and sent as a new one', async ({ form }) => {
  await expect(form.send('')).rejects.toMatchObject({ status: 400 });
  await form.send('Sales');
  expect(await form.names()).toEqual(['Sales']);
});

test('a call whose response was lost and that was refused itself keeps nothing back', async ({ form }) => {
  form.losesResponses = true;
  await expect(form.send('')).rejects.toMatchObject({ status: 0 });
  form.losesResponses = false;
  await form.send('Sales');
  expect(await form.names()).toEqual(['Sales']);
});

test('the end of the session says nothing about a call whose response was lost', async ({ form }) => {
  form.losesResponses = true;
  await expect(form.send('Sales')).rejects.toMatchObject({ status: 0 });
  Object.assign(form, { losesResponses: false, refusesWith: 401 });
  await expect(form.send('Sales')).rejects.toMatchObject({ status: 401 });
  await expect(form.send('Costs')).rejects.toMatchObject({ status: 401 });
  form.refusesWith = 0;
  await form.send('Costs');
  expect(await form.names()).toEqual(['Costs']);
});

test('each use of the form creates another record', async ({ form }) => {
  await form.send('Sales');
  await form.send('Sales');
  expect(await form.names()).toEqual(['Sales', 'Sales']);
});
