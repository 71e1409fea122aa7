/**
 * The rules that every user has without creating them: failures of what they own, and of runs that they started. They
 * are stored when they first fire, or when the user chooses how to be notified.
 */
import type { Knex } from 'knex';
import { inRows } from '#server/db/in-rows.ts';
import type { AlertsRow } from '#server/db/tables.ts';
import { DEFAULT_CHOICES, type NotificationChoices } from '#shared/contract/notification-choices.ts';
import type { DEFAULT_SCOPES } from '#shared/contract/alert-rule-scopes.ts';
import type { AlertCondition } from '#shared/contract/alerts.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

type DefaultScope = (typeof DEFAULT_SCOPES)[number];

/** Outcomes that somebody must look at. A run that a person cancelled is not one of them. */
export const PROBLEM_STATUSES = ['Failed', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed'] as const;

export const isProblem = (status: RunStatus): boolean => (PROBLEM_STATUSES as readonly RunStatus[]).includes(status);

/** Shown in lists of alerts that the server does not translate, such as the log of deliveries. */
const NAMES: Readonly<Record<DefaultScope, string>> = { Owner: 'Own activities', Starter: 'Own runs' };

type Content = Pick<AlertsRow, 'Condition' | 'Receivers' | 'IsActive'>;

/** The bell reads a user's own runs from the runs themselves, so the rule for these only mails. */
function contentOf(scope: DefaultScope, UserId: number, choices: NotificationChoices): Content {
  const { Runs, Activities, RunLevel } = choices;
  const isOwner = scope === 'Owner';
  const channels = isOwner ? Activities : { Portal: false, Mail: Runs.Mail };
  const all: AlertCondition = { Kind: 'Outcome', Statuses: [...PROBLEM_STATUSES, 'SucceededWarn', 'Succeeded'] };
  const problems: AlertCondition = { Kind: 'Outcome', Statuses: [...PROBLEM_STATUSES] };
  const receivers = { Roles: [], UserIds: [UserId], ByBell: channels.Portal, ByMail: channels.Mail };
  return {
    Condition: JSON.stringify(isOwner || RunLevel === 'Problems' ? problems : all),
    Receivers: JSON.stringify(receivers),
    IsActive: channels.Portal || channels.Mail,
  };
}

const NOBODY = JSON.stringify({ Roles: [], UserIds: [], ByBell: false, ByMail: false });

const rowOf = (
  Scope: DefaultScope,
  UserId: number,
  choices: NotificationChoices,
): Omit<AlertsRow, 'Id' | 'CreateTime'> => ({
  ActivityId: null,
  ChecklistId: null,
  Name: NAMES[Scope],
  Kind: 'Outcome',
  ...contentOf(Scope, UserId, choices),
  NextReceivers: NOBODY,
  EscalateMinutes: null,
  EncryptedWebhooks: '',
  UserId,
  NextTime: null,
  CalendarId: null,
  Scope,
  ScopeValue: null,
});

/**
 * Creates the rules of owners who have chosen nothing yet. Fails if one of them stores a choice at the same time: the
 * next poll then reads it.
 */
export async function insertDefaultRules(trx: Knex.Transaction, userIds: readonly number[]): Promise<AlertsRow[]> {
  const rows = userIds.map((userId) => rowOf('Owner', userId, DEFAULT_CHOICES));
  const inserted: AlertsRow[] = [];
  await inRows(trx, rows, async (part) => {
    inserted.push(...(await trx('Alerts').insert(part).returning('*')));
  });
  return inserted;
}

/** Stores what a user has chosen about their own runs and about what they own. */
export async function saveDefaultRules(
  trx: Knex.Transaction,
  UserId: number,
  choices: NotificationChoices,
): Promise<void> {
  for (const Scope of ['Owner', 'Starter'] as const) {
    const changed = await trx('Alerts')
      .where({ UserId, Scope })
      .update(contentOf(Scope, UserId, choices));
    if (changed === 0) await trx('Alerts').insert(rowOf(Scope, UserId, choices));
  }
}
