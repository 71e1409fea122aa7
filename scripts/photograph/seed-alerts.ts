/** Alerts of each kind, with their firings. */
import type { AlertCondition, AlertDraft } from '#shared/contract/alerts.ts';
import type { BenchPortal } from '../bench/portal.ts';
import { ago, LONG } from './seed-texts.ts';

/** Returns the Id of the newest firing. */
export async function addAlerts(
  portal: BenchPortal,
  ActivityId: number,
  people: readonly number[],
  run: number,
): Promise<number> {
  const nobody = { Roles: [], UserIds: [], ByBell: true, ByMail: false };
  const save = async (Name: string, Condition: AlertCondition, more: Partial<AlertDraft> = {}): Promise<number> => {
    const Receivers = {
      Roles: ['Accounting Berlin', 'Controlling Berlin'],
      UserIds: [1, ...people.slice(0, 3)],
      ByBell: true,
      ByMail: true,
    };
    const draft: AlertDraft = {
      Id: null,
      Name,
      IsActive: true,
      Condition,
      Receivers,
      NextReceivers: nobody,
      EscalateMinutes: null,
      Webhooks: [],
      ...more,
    };
    return (await portal.call<{ Id: number }>('POST', '/api/activities/alerts/save', { ActivityId, ...draft })).Id;
  };
  const bad = await save(
    'It ended badly',
    { Kind: 'Outcome', Statuses: ['Failed', 'LogicError', 'InternalError', 'Abandoned'] },
    {
      Webhooks: [
        { Kind: 'Teams', Url: 'https://prod-17.westeurope.logic.azure.com/workflows/1' },
        { Kind: 'Slack', Url: 'https://hooks.slack.com/services/T0/B0/x' },
      ],
      NextReceivers: { ...nobody, Roles: ['Treasury Berlin'], ByMail: true },
      EscalateMinutes: 30,
    },
  );
  const value = await save('Revenue is out of what was ever seen, or there is none', {
    Kind: 'Value',
    Condition: '[Revenue] > 100000 OR [Revenue] <= 0 OR ([Margin] < 0.05 AND [Margin] <> 0)',
  });
  await save('Not there by nine', {
    Kind: 'Late',
    By: 540,
    TimeZone: 'Europe/Berlin',
    Days: [1, 2, 3, 4, 5],
    CalendarId: null,
  });
  await save('Slow', { Kind: 'Long', Factor: 3 }, { IsActive: false });
  const firing = async (AlertId: number, at: number, Message: string, more: object = {}): Promise<number> => {
    const row = {
      AlertId,
      Subject: `seed ${at}`,
      Time: ago(at),
      ActivityRunId: run,
      Message,
      Category: 3,
      IsTest: false,
      ...more,
    };
    const [made] = (await portal.database.knex('AlertFirings').insert(row).returning('Id')) as { Id: number }[];
    await portal.database.knex('AlertNotices').insert(
      [1, ...people.slice(0, 5)].map((UserId) => ({
        AlertFiringId: made!.Id,
        UserId,
        ByBell: true,
        VisibleTime: ago(at),
      })),
    );
    const delivery = {
      Channel: 'Teams',
      Event: 'alert',
      TargetKey: 'seed',
      Body: '{}',
      AlertFiringId: made!.Id,
      Attempts: 1,
      EndTime: ago(at),
    };
    await portal.database.knex('Deliveries').insert([
      { ...delivery, DeliveryKey: `seed-${AlertId}-${at}-a`, Status: 'Delivered' },
      { ...delivery, DeliveryKey: `seed-${AlertId}-${at}-b`, Status: at > 5 ? 'GivenUp' : 'Delivered' },
    ]);
    return made!.Id;
  };
  for (let at = 2; at < 22; at += 1)
    await firing(bad, at, 'Failed: Model!B4: #DIV/0! in =B1/B2, which the output Total depends on', {
      SeenTime: ago(at - 0.1),
      SeenBy: people[at % 9],
    });
  await firing(bad, 1.5, 'Sent by admin to test the alert', { IsTest: true, ActivityRunId: null, Category: 1 });
  await firing(
    value,
    1,
    `[Revenue] > 100000 OR [Revenue] <= 0: Revenue is 118,402.75 EUR. ${'And so it goes on. '.repeat(40)}`,
  );
  return firing(bad, 0.05, LONG.repeat(3));
}
