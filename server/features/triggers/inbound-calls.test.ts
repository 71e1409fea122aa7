/** Triggers of signed calls from other programs. */
import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { signedHeaders } from '#server/automation/deliveries/signature.ts';
import type { SavedTrigger } from '#shared/contract/triggers.ts';
import type { TestApp } from '#test/support/app.ts';
import { test } from '#test/support/fixtures/trigger-portal.ts';
import { from } from '#test/support/trigger-portal.ts';

const inbound = ({ http }: TestApp, address: string, text: string, headers: Record<string, string>) =>
  http.inject({
    method: 'POST',
    url: address,
    payload: text,
    headers: { 'content-type': 'application/json', ...headers },
  });

test('a signed call starts once, with values of its body; others are answered 401 without a reason', async ({
  portal,
}) => {
  const { app, call, save, inputsOf } = portal;
  const Plan = { Kind: 'Webhook', Scheme: 'Standard' } as const;
  const Inputs = [from('Amount', '/order/amount'), from('Day', '/order/due'), from('Remark', '/order/number')];
  const { Trigger: made, Secret } = await save({ Plan, Inputs, Name: 'Orders' });
  const address = made.Address!;
  const text = JSON.stringify({ order: { amount: '1,250.5', due: '2026-11-24T00:00:00.000Z' } });
  const headers = signedHeaders([Secret!], 'msg_1', text);
  const first = await inbound(app, address, text, headers);
  expect([first.statusCode, first.json().result]).toMatchObject([202, { Outcome: 'Started', IsRepeated: false }]);
  const { RunId } = first.json().result;
  expect(await inputsOf(RunId)).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ Name: 'Amount', Value: '1250.5' }),
      expect.objectContaining({ Name: 'Day', Value: '46350' }),
    ]),
  );
  const again = await Promise.all([1, 2, 3].map(() => inbound(app, address, text, headers)));
  expect(again.map((answer) => answer.json().result)).toMatchObject([1, 2, 3].map(() => ({ RunId, IsRepeated: true })));
  const sameHeaders = signedHeaders([Secret!], 'msg_at_once', text);
  const concurrent = await Promise.all([1, 2, 3, 4].map(() => inbound(app, address, text, sameHeaders)));
  expect(concurrent.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202]);
  const own = concurrent.map((answer) => answer.json().result.RunId as number);
  expect(new Set(own)).toEqual(new Set([own[0]]));
  expect(await app.database.knex('ActivityRuns').where('Id', '>', RunId).pluck('Id')).toEqual([own[0]]);
  // The number as written: JSON.parse would round it.
  const long = '{"order":{"amount":12.5,"number":12345678901234567891}}';
  const numbered = await inbound(app, address, long, signedHeaders([Secret!], 'msg_long', long));
  expect(await inputsOf(numbered.json().result.RunId)).toEqual(
    expect.arrayContaining([expect.objectContaining({ Name: 'Remark', Value: '"12345678901234567891"' })]),
  );
  const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) };
  const refused = await Promise.all([
    inbound(app, address, `${text} `, headers),
    inbound(app, address, text, old),
    inbound(app, address, text, { ...headers, 'webhook-id': 'msg_2' }),
    inbound(app, address, text, {}),
    inbound(app, `${address.slice(0, -5)}XXXXX`, text, headers),
  ]);
  expect(refused.map((answer) => [answer.statusCode, answer.json()])).toEqual(
    refused.map(() => [401, { message: 'The call is not signed correctly' }]),
  );
  const bad = JSON.stringify({ order: { amount: {} } });
  const wrong = await inbound(app, address, bad, signedHeaders([Secret!], 'msg_3', bad));
  expect(wrong.json().result).toMatchObject({
    Outcome: 'Refused',
    Message: 'A call. Amount: the value at /order/amount is not a number',
    RunId: null,
  });
  const large = JSON.stringify({ x: 'x'.repeat(300_000) });
  expect((await inbound(app, address, large, signedHeaders([Secret!], 'msg_4', large))).statusCode).toBe(413);
  const renewed = (await call('POST', `activities/triggers/secret/${made.Id}`)).body.result as SavedTrigger;
  expect((await inbound(app, address, text, signedHeaders([Secret!], 'msg_5', text))).statusCode).toBe(401);
  expect((await inbound(app, address, text, signedHeaders([renewed.Secret!], 'msg_5', text))).statusCode).toBe(202);
  const stored = await app.database.knex('Triggers').where('Id', made.Id).first();
  expect(JSON.stringify(stored)).not.toContain(renewed.Secret!);
});

test('a call signed as GitHub does counts once for its body', async ({ portal }) => {
  const { app, save } = portal;
  const { Trigger: made, Secret } = await save({ Plan: { Kind: 'Webhook', Scheme: 'Hub' }, Name: 'Push' });
  const text = '{"ref":"refs/heads/main"}';
  const signature = `sha256=${createHmac('sha256', Secret!).update(text).digest('hex')}`;
  const send = (id: string, with_ = signature) =>
    inbound(app, made.Address!, text, { 'x-hub-signature-256': with_, 'x-github-delivery': id });
  expect((await send('1')).json().result).toMatchObject({ Outcome: 'Started', IsRepeated: false });
  expect((await send('2')).json().result).toMatchObject({ IsRepeated: true });
  expect((await send('3', `sha256=${'0'.repeat(64)}`)).statusCode).toBe(401);
});
