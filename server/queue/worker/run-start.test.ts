/** Runs whose worker stalls or dies before their start is written. Each is executed once, by another worker. */
import { expect, onTestFinished } from 'vitest';
import { createConnectionAccess } from '#server/connections/connection-access.ts';
import { createConnections } from '#server/connections/connections.ts';
import type { StaticFolders } from '#server/folders/static-folders.ts';
import { createRunSteps } from '#server/queue/steps/run-steps.ts';
import { SUCCESS, untilAborted } from '#test/support/fake-executor.ts';
import { test as base } from '#test/support/fixtures/worker-bench.ts';

const MAIL = { step: 'Tell', to: 'ann@example.com', cc: '', subject: '', text: '', attachments: [] };
const END_LEASE = { LeaseUntil: new Date(0) };

const test = base.extend('mails', async ({ workerBench: { database } }) => {
  /** The status of the run each time it sent a mail. */
  const sent: string[] = [];
  const steps = createRunSteps({
    database,
    mail: {
      isConfigured: true,
      send: async () => void sent.push(...(await database.knex('ActivityRuns').pluck('Status'))),
    },
    mailDomains: [],
    pdf: null,
    connections: createConnectionAccess(createConnections({}, { timeZone: 'UTC' }), { has: async () => true }),
    folders: {} as StaticFolders,
    findHolder: async () => undefined,
    findStartable: async () => ({ refused: 'none' }),
  });
  return { sent, steps };
});

test('a start is written before a step of the run acts, however soon that is', async ({ workerBench, mails }) => {
  workerBench.executor.onRun = async ({ services }) => {
    await services!.sendMail(MAIL);
    return SUCCESS;
  };
  const Id = await workerBench.run();
  workerBench.work({ steps: mails.steps });
  await workerBench.status(Id, 'Succeeded');
  expect(mails.sent).toEqual(['Started']);
});

test('a run that a worker has only picked up is executed once by another, and the first does nothing more of it', async ({
  workerBench,
  mails,
}) => {
  const { executor, database, run, reaper, status, stored, messages } = workerBench;
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<unknown>();
  const gather = async (): Promise<boolean> => {
    reached.resolve();
    await goOn.promise;
    return true;
  };
  executor.onRun = async (request) => {
    request.onLog({ Message: 'executed', StatusCode: 1, Category: 1 });
    const isFirst = (await stored(Id)).Status === 'Succeeded';
    const mail = request.services!.sendMail(MAIL);
    if (isFirst) refused.resolve(await mail.catch((error: unknown) => error));
    else await mail;
    return SUCCESS;
  };
  const Id = await run();
  // With its only slot taken, it cannot claim the run again.
  const first = workerBench.work({ steps: mails.steps, isLicensed: gather, concurrency: 1, pollInterval: 60_000 });
  await reached.promise;
  await database.knex('ActivityRuns').where({ Id }).update(END_LEASE);
  expect(await reaper().reap()).toMatchObject([{ Id, Status: 'Queued' }]);
  workerBench.work({ steps: mails.steps });
  const { EndTime } = await status(Id, 'Succeeded');
  goOn.resolve();
  expect(await refused.promise).toMatchObject({ reason: 'lost' });
  await first.stop();
  expect(await stored(Id)).toMatchObject({ Status: 'Succeeded', Fence: 2, EndTime });
  expect(await messages(Id)).toEqual(['executed']);
  expect(mails.sent).toEqual(['Started']);
});

test('a worker that claims a run again keeps its second claim when the first ends', async ({ workerBench }) => {
  const { executor, database, signals, run, reaper, status, stored } = workerBench;
  const released = Promise.withResolvers<void>();
  executor.onRun = () => released.promise.then(() => SUCCESS);
  const Id = await run();
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let asked = 0;
  const gather = async (): Promise<boolean> => {
    if (++asked > 1) return true;
    reached.resolve();
    await goOn.promise;
    return true;
  };
  workerBench.work({ isLicensed: gather });
  await reached.promise;
  await database.knex('ActivityRuns').where({ Id }).update(END_LEASE);
  await reaper().reap();
  signals.queued();
  await status(Id, 'Started');
  const { promise: firstHasEnded, resolve } = Promise.withResolvers<void>();
  onTestFinished(signals.onChanged((ids) => void (ids.includes(Id) && resolve())));
  goOn.resolve();
  await firstHasEnded;
  expect(signals.known(Id)).toBe('here');
  released.resolve();
  await status(Id, 'Succeeded');
  expect((await stored(Id)).Fence).toBe(2);
});

test('a server that stops puts a run back that has not acted', async ({ workerBench }) => {
  const { executor, run, stored } = workerBench;
  const started = Promise.withResolvers<void>();
  executor.onRun = (request) => {
    started.resolve();
    return untilAborted(request);
  };
  const Id = await run();
  const worker = workerBench.work({ stopGrace: 0 });
  await started.promise;
  await worker.stop();
  // On a slow machine its start may have been written by then.
  const { Status, StartTime } = await stored(Id);
  expect(Status).toBe(StartTime === null ? 'Queued' : 'Abandoned');
});
