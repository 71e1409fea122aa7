/** Alerts, for people who may edit the activity or checklist that an alert belongs to. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { createOnce } from '#server/access/create-once.ts';
import { recordEdit, revisionsOf } from '#server/access/edits.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { WorkflowApprovers } from '#server/features/workflows/workflow-approvers-service.ts';
import { readCalendar } from '#server/automation/schedules/additional/schedule-rows.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import { conditionIssue, unknownColumn } from '#shared/codecs/condition-columns.ts';
import { ALERTS_MAX, type AlertCondition, type AlertDraft, type AlertList } from '#shared/contract/alerts.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import { addressed, checkChannel, checkReceivers, checkWebhooks, invalid } from './alert-checks.ts';
import { conditionColumns } from './alert-conditions.ts';
import { sendAlert, type NotifyDeps } from './alert-notify.ts';
import { isTimeZone, nextDeadline } from './alert-times.ts';
import { alertViews } from './alert-views.ts';
import {
  findAlert,
  insertAlert,
  listAlerts,
  removeAlert,
  updateAlert,
  type AlertOwner,
  type AlertRow,
} from './alerts-repository.ts';

export interface SentAlert {
  owner: AlertOwner;
  draft: AlertDraft;
  /** See createOnce. */
  UniqueId: string | null;
}

export interface AlertsService {
  list(person: Person, owner: AlertOwner): Promise<AlertList>;
  save(person: Person, actor: Actor, sent: SentAlert): Promise<{ Id: number }>;
  delete(person: Person, actor: Actor, id: number): Promise<void>;
  test(person: Person, id: number): Promise<void>;
  /** Fires a rule that the person owns, as a test. */
  testRule(person: Person, rule: AlertRow): Promise<void>;
  people(
    person: Person,
    owner: AlertOwner,
    search: string,
  ): Promise<{ Roles: string[]; Users: AlertList['Users']; HasMore: boolean }>;
}

export interface AlertsDeps extends Omit<NotifyDeps, 'database'> {
  database: Database;
  access: ActivityAccess;
  checklistAccess: ChecklistAccess;
  versions: VersionCatalog;
  workflowApprovers: WorkflowApprovers;
  timeZone: string;
  /** Private network addresses that webhooks may reach. */
  allowed: readonly string[];
  kick: () => void;
}

const alertNotFound = (): AppError => new AppError('alertNotFound', 404, 'There is no such alert');

export function createAlertsService(deps: AlertsDeps): AlertsService {
  const { database } = deps;
  const { knex } = database;
  const ownerOf = ({ ActivityId, ChecklistId }: AlertRow): AlertOwner =>
    ActivityId === null ? { ActivityId, ChecklistId: ChecklistId ?? 0 } : { ActivityId, ChecklistId: null };

  async function requireAlert(person: Person, id: number): Promise<AlertRow> {
    const alert = await findAlert(knex, id);
    if (!alert || alert.Scope !== null) throw alertNotFound();
    await requireOwner(deps, person, ownerOf(alert));
    return alert;
  }

  return {
    list: (person, owner) => listOf(deps, person, owner),
    save: async (person, actor, { owner, draft, UniqueId }) => {
      const { outputs } = await requireOwner(deps, person, owner);
      await check(draft, owner, outputs, deps);
      await requireCalendar(knex, draft.Condition);
      const now = await databaseNow(knex, deps);
      const { UserId } = person;
      const key = draft.Id === null ? UniqueId : null;
      const creation = { UserId, UniqueId: key, RecordTable: 'Alerts', content: [owner, draft] };
      const Id = await createOnce(database, creation, async (trx) => {
        const stored = await store(trx, deps, { owner, draft, UserId, now });
        await recordActions(trx, actor, [logged(owner)]);
        return stored;
      });
      return { Id };
    },
    delete: async (person, actor, id) => {
      const alert = await requireAlert(person, id);
      await inTransaction(knex, async (trx) => {
        await removeAlert(trx, id);
        await recordActions(trx, actor, [logged(ownerOf(alert))]);
      });
    },
    test: async (person, id) => sendTest(deps, person, await requireAlert(person, id)),
    testRule: (person, rule) => sendTest(deps, person, rule),
    people: async (person, owner, Search) => {
      await requireOwner(deps, person, owner);
      return deps.workflowApprovers.find({ Search });
    },
  };
}

async function sendTest(deps: AlertsDeps, person: Person, alert: AlertRow): Promise<void> {
  const { knex } = deps.database;
  const now = await databaseNow(knex, deps);
  await inTransaction(knex, async (trx) => {
    const Subject = `test ${now.getTime()}`;
    const none = { ActivityRunId: null, ChecklistRunId: null };
    const Message = `Sent by ${person.UserName} to test the alert`;
    const firing = { ...none, Category: LogCategory.Information, Subject, IsTest: true, Message };
    await sendAlert(trx, deps, { alert, firing, starterId: null, now });
  });
  deps.kick();
}

const logged = ({ ActivityId, ChecklistId }: AlertOwner) => ({
  Action: 'UpdateAlerts' as const,
  KeyColumnName: ActivityId === null ? 'ChecklistId' : 'ActivityId',
  KeyColumnValue: String(ActivityId ?? ChecklistId),
});

async function databaseNow(db: Knex, { database: { dialect } }: Pick<AlertsDeps, 'database'>): Promise<Date> {
  return (await db.select({ Now: dialect.now(db) }).first<{ Now: Date }>()).Now;
}

/** Throws an AppError 404 if the person does not see the activity or checklist, 403 if they may not edit it. */
async function requireOwner(
  { database: { knex }, access, checklistAccess, versions }: AlertsDeps,
  person: Person,
  { ActivityId, ChecklistId }: AlertOwner,
): Promise<{ name: string; outputs: ReturnType<typeof conditionColumns> }> {
  if (ActivityId === null) {
    const { checklist } = await checklistAccess.requireEdit(knex, person, ChecklistId);
    return { name: checklist.Name, outputs: [] };
  }
  const { activity } = await access.requireEdit(knex, person, ActivityId);
  const version = await versions.get(ActivityId, activity.Version);
  return { name: activity.Name, outputs: conditionColumns(version?.outputs ?? []) };
}

async function listOf(deps: AlertsDeps, person: Person, owner: AlertOwner): Promise<AlertList> {
  const { database, workflowApprovers, timeZone, canMail, webhooks } = deps;
  const { name, outputs } = await requireOwner(deps, person, owner);
  const ids = listAlerts(database.knex, owner).then((rows) => rows.map(({ Id }) => Id));
  const revisionBy = await revisionsOf(database.knex, 'Alerts', ids);
  const rows = await listAlerts(database.knex, owner);
  const Items = await alertViews(database.knex, rows, { webhooks, revisionBy });
  const UserIds = [...new Set(Items.flatMap((alert) => [...alert.Receivers.UserIds, ...alert.NextReceivers.UserIds]))];
  const named = UserIds.length === 0 ? [] : (await workflowApprovers.find({ Search: '', UserIds })).Users;
  const Users = named.filter(({ UserId }) => UserIds.includes(UserId));
  return { Name: name, Items, Users, Outputs: outputs, TimeZone: timeZone, CanMail: canMail };
}

async function check(
  draft: AlertDraft,
  owner: AlertOwner,
  outputs: ReturnType<typeof conditionColumns>,
  deps: Pick<AlertsDeps, 'canMail' | 'allowed'>,
): Promise<void> {
  const { Condition, Webhooks } = draft;
  if (Condition.Kind === 'Late' && !isTimeZone(Condition.TimeZone))
    throw invalid('TimeZone', 'Enter a time zone such as Europe/Berlin');
  if (Condition.Kind === 'Value') {
    if (owner.ActivityId === null) throw invalid('Condition', 'A checklist does not have its own outputs');
    const unknown = unknownColumn(Condition.Condition, outputs);
    if (unknown !== undefined) throw invalid('Condition', `There is no output ${unknown} that a condition can compare`);
    const issue = conditionIssue(Condition.Condition, outputs);
    if (issue !== null) throw invalid('Condition', issue);
  }
  await checkWebhooks(Webhooks, deps);
  checkReceivers('Receivers', draft.Receivers, Webhooks.length, deps);
  checkChannel('NextReceivers', draft.NextReceivers, deps);
  if (draft.EscalateMinutes !== null && draft.NextReceivers.Roles.length + draft.NextReceivers.UserIds.length === 0)
    throw invalid('NextReceivers', 'Choose who is notified next');
}

async function requireCalendar(db: Db, condition: AlertCondition): Promise<void> {
  if (condition.Kind !== 'Late' || condition.CalendarId === null) return;
  if ((await readCalendar(db, condition.CalendarId)) === null) {
    throw invalid('CalendarId', 'There is no such holiday calendar');
  }
}

interface Stored {
  owner: AlertOwner;
  draft: AlertDraft;
  UserId: number;
  now: Date;
}

async function store(trx: Knex.Transaction, deps: AlertsDeps, { owner, draft, UserId, now }: Stored): Promise<number> {
  const { Id, Condition, Receivers, NextReceivers, Webhooks, EscalateMinutes, IsActive } = draft;
  await deps.database.dialect.lock(trx, `runsheet.alerts.${owner.ActivityId ?? 'chain'}.${owner.ChecklistId ?? ''}`);
  const known = await listAlerts(trx, owner);
  const before = Id === null ? undefined : known.find((alert) => alert.Id === Id);
  if (Id !== null && !before) throw alertNotFound();
  const seen = { person: { UserId }, Revision: draft.Revision };
  if (Id !== null) await recordEdit(trx, { table: 'Alerts', key: Id }, seen);
  if (Id === null && known.length >= ALERTS_MAX) {
    throw new AppError('tooManyAlerts', 409, `There are already ${ALERTS_MAX} alerts: delete one first`);
  }
  const row = {
    ...owner,
    Name: draft.Name.trim(),
    Kind: Condition.Kind,
    Condition: JSON.stringify(Condition),
    Receivers: JSON.stringify(Receivers),
    NextReceivers: JSON.stringify(NextReceivers),
    EscalateMinutes,
    EncryptedWebhooks: deps.webhooks.encrypt(addressed(Webhooks, before, deps.webhooks)),
    IsActive,
    UserId,
    NextTime: deadlineOf(Condition, now),
    CalendarId: Condition.Kind === 'Late' ? Condition.CalendarId : null,
    Scope: null,
    ScopeValue: null,
  };
  if (Id === null) return insertAlert(trx, row);
  await updateAlert(trx, Id, row);
  return Id;
}

const deadlineOf = (condition: AlertCondition, now: Date): Date | null =>
  condition.Kind === 'Late' ? nextDeadline(now, condition) : null;
