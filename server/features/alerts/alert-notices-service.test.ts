/** Tests how people receive alerts: through a real mail server and real webhook receivers, at the time they chose. */
import { expect } from 'vitest';
import type { NotificationSettings } from '#shared/contract/alerts.ts';
import { test } from '#test/support/fixtures/alert-portal.ts';
import { NOBODY } from '#test/support/alert-portal.ts';
import { startSmtpPeer } from '#test/support/peers/smtp.ts';
import { until } from '#test/support/until.ts';
import { signedInUser } from '#test/support/users.ts';

test('a person with quiet hours is notified afterwards', async ({
  alerts: { call, save, endRun, collectAndSend, bell },
  portal,
}) => {
  const minute = (offset: number): number => (Math.floor(Date.now() / 60_000) + offset + 1440) % 1440;
  const quiet: NotificationSettings = {
    QuietFrom: minute(-60),
    QuietUntil: minute(60),
    SummaryAt: null,
    TimeZone: 'UTC',
  };
  expect((await call('POST', '/notificationSettings', portal.viewer, quiet)).statusCode).toBe(200);
  await save();
  await endRun('Failed');
  await collectAndSend();
  expect(await bell(portal.viewer)).toEqual([]);
  expect(portal.mails.mails).toEqual([]);
  const { knex, dialect } = portal.app.database;
  const [{ VisibleTime }] = await knex('AlertNotices').select('VisibleTime');
  expect(VisibleTime.getTime() - Date.now()).toBeGreaterThan(50 * 60_000);
  await knex('AlertNotices').update({ VisibleTime: dialect.now(knex) });
  await knex('Deliveries')
    .where('Status', 'Waiting')
    .update({ DueTime: dialect.now(knex) });
  await collectAndSend();
  expect(await bell(portal.viewer)).toHaveLength(1);
  expect(portal.mails.mails).toHaveLength(1);
  expect(
    (await call('POST', '/notificationSettings', portal.viewer, { ...quiet, TimeZone: 'Nowhere' })).statusCode,
  ).toBe(400);
});

test('an alert escalates if nobody has opened it, and not if somebody has', async ({
  alerts: { save, endRun, collectAndSend, bell, call, list },
  portal,
}) => {
  const next = await signedInUser(portal.app, ['sk.RunActivity', 'sk.ViewRuns']);
  await save({ EscalateMinutes: 10, NextReceivers: { ...NOBODY, UserIds: [next.UserId] } });
  const { knex } = portal.app.database;
  const passTime = () =>
    knex('AlertFirings')
      .whereNotNull('EscalateTime')
      .update({ EscalateTime: new Date(0) });
  await endRun('Failed');
  await collectAndSend();
  expect(await bell(next)).toEqual([]);
  const { AlertFiringId } = (await bell(portal.viewer))[0]!;
  expect((await call('POST', `/alerts/firings/${AlertFiringId}/seen`, portal.stranger)).statusCode).toBe(404);
  await passTime();
  await collectAndSend();
  expect(await bell(next)).toHaveLength(1);
  await knex('AlertNotices').delete();
  await endRun('Failed');
  await collectAndSend();
  const [second] = await bell(portal.viewer);
  expect((await call('POST', `/alerts/firings/${second!.AlertFiringId}/seen`, portal.viewer)).statusCode).toBe(200);
  await passTime();
  await collectAndSend();
  expect(await bell(next)).toEqual([]);
  expect((await list()).Items[0]!.Firings[0]).toMatchObject({ SeenTime: expect.any(String) });
});

test('a mail that the server does not take comes when it takes it, with the same Message-ID', async ({
  alerts: { save, endRun, collectAndSend },
  portal,
}) => {
  await save();
  const { knex, dialect } = portal.app.database;
  const { port } = portal.mails;
  await portal.mails.stop();
  await endRun('Failed');
  await collectAndSend();
  expect(await knex('Deliveries').select('Status', 'Attempts')).toEqual([{ Status: 'Waiting', Attempts: 1 }]);
  portal.mails = await startSmtpPeer({}, port);
  await knex('Deliveries').update({ DueTime: dialect.now(knex) });
  await collectAndSend();
  const [{ DeliveryKey }] = await knex('Deliveries').select('DeliveryKey');
  expect(portal.mails.mails[0]!.source).toContain(`Message-ID: <${DeliveryKey}@example.com>`);
});

test('a mail server and a channel that take what comes and never answer hold up nothing, and get it when they are back', async ({
  alerts: { save, endRun, collect, bell, collectAndSend },
  portal,
}) => {
  const { knex, dialect } = portal.app.database;
  const { port } = portal.mails;
  await portal.mails.stop();
  let isHung = false;
  portal.mails = await startSmtpPeer({ onMailFrom: () => (isHung = true) }, port);
  portal.receiver.answer = null;
  await save({ Webhooks: [{ Kind: 'Teams', Url: `${portal.receiver.url}/teams` }] });
  await endRun('Failed');
  await collect();
  const sending = portal.app.deliveries.sendDue();
  await until('both hang', () => isHung && portal.receiver.received.length === 1);
  expect(await bell(portal.viewer)).toHaveLength(1);
  portal.receiver.hangUp();
  for (const socket of portal.mails.connections()) socket.destroy();
  await sending;
  const waiting = { Status: 'Waiting', Attempts: 1 };
  expect(await knex('Deliveries').select('Status', 'Attempts')).toEqual([waiting, waiting]);
  await portal.mails.stop();
  portal.mails = await startSmtpPeer({}, port);
  portal.receiver.answer = 200;
  await knex('Deliveries').update({ DueTime: dialect.now(knex) });
  await collectAndSend();
  expect(await knex('Deliveries').pluck('Status')).toEqual(['Delivered', 'Delivered']);
  expect([portal.mails.mails.length, portal.receiver.received.length]).toEqual([1, 2]);
});

test('the summary of the day comes at its time, once', async ({ alerts: { call, endRun, collectAndSend }, portal }) => {
  const settings = { QuietFrom: null, QuietUntil: null, SummaryAt: 420, TimeZone: 'Europe/Berlin' };
  await call('POST', '/notificationSettings', portal.viewer, settings);
  await endRun('Failed', { UserId: portal.viewer.UserId });
  await collectAndSend();
  expect(portal.mails.mails).toEqual([]);
  await portal.app.database.knex('NotificationSettings').update({ SummaryNext: new Date(Date.now() - 1000) });
  await collectAndSend();
  await collectAndSend();
  expect(portal.mails.mails).toHaveLength(1);
  expect(portal.mails.mails[0]!.source).toContain('Your runs of the last 24 hours: 1, of which 1 failed.');
});

test('the summary of the day says that there are more alerts than it lists', async ({
  alerts: { call, save, endRun, collectAndSend },
  portal,
}) => {
  const { knex } = portal.app.database;
  await save({ Receivers: { Roles: ['Close'], UserIds: [], ByBell: true, ByMail: false } });
  const settings = { QuietFrom: null, QuietUntil: null, SummaryAt: 420, TimeZone: 'Europe/Berlin' };
  await call('POST', '/notificationSettings', portal.viewer, settings);
  const summary = async (): Promise<string> => {
    portal.mails.mails.length = 0;
    await knex('NotificationSettings').update({ SummaryNext: new Date(Date.now() - 1000) });
    await collectAndSend();
    expect(portal.mails.mails).toHaveLength(1);
    return portal.mails.mails[0]!.source;
  };
  for (let i = 0; i < 20; i += 1) await endRun('Failed');
  await collectAndSend();
  expect(await summary()).not.toContain('- and more');
  await endRun('Failed');
  await collectAndSend();
  expect(await summary()).toContain('- and more');
});
