/** Webhooks, for user administrators: they inform programs about the actions of all users. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import { createOnce } from '#server/access/create-once.ts';
import { recordEdit, revisionsOf } from '#server/access/edits.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { insertDeliveries, sendWaitingNow } from '#server/automation/deliveries/delivery-rows.ts';
import { tryAddress } from '#server/automation/deliveries/try-address.ts';
import { newSecret } from '#server/automation/deliveries/signature.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import {
  OLD_SECRET_HOURS,
  WEBHOOKS_MAX,
  type createWebhook,
  type updateWebhook,
  type Webhook,
  type WebhookDraft,
  type WebhookSecret,
} from '#shared/contract/webhooks.ts';
import { webhookUrlIssue } from '#shared/rules/webhook-rules.ts';
import { targetOf, trialBody } from './webhook-bodies.ts';
import type { WebhookSecrets } from '#server/access/webhook-secrets.ts';
import {
  changeWebhook,
  countActivities,
  countUndelivered,
  countWebhooks,
  findWebhook,
  insertWebhook,
  listWebhookActivities,
  listWebhookRows,
  removeWebhook,
  replaceActivities,
  type WebhookRow,
} from './webhooks-repository.ts';

export interface WebhooksService {
  list(): Promise<Webhook[]>;
  /** Throws an AppError 400 if the settings do not allow the address, as does update. */
  create(actor: Actor, draft: WebhookDraft, UniqueId: string | null): Promise<ResultOf<typeof createWebhook>>;
  update(actor: Actor, webhook: BodyOf<typeof updateWebhook>): Promise<ResultOf<typeof updateWebhook>>;
  delete(actor: Actor, id: number): Promise<void>;
  rotate(actor: Actor, id: number): Promise<WebhookSecret>;
  test(id: number): Promise<void>;
}

export interface WebhooksDeps {
  database: Database;
  secrets: WebhookSecrets;
  /** Private network addresses that webhooks may reach. */
  allowed: readonly string[];
  /** Wakes the delivery engine when there is something to send. */
  kick: () => void;
}

export const webhookNotFound = (): AppError => new AppError('webhookNotFound', 404, 'There is no such webhook');

const keyOf = (id: number): string => `webhook ${id}`;
const LOCK = 'runsheet.webhooks';
const HOUR_SECONDS = 3600;

type WebhookAction = 'CreateWebhook' | 'UpdateWebhook' | 'DeleteWebhook' | 'RotateWebhookSecret';

export function createWebhooksService(deps: WebhooksDeps): WebhooksService {
  const { database, kick } = deps;
  const { knex } = database;
  /** Changes an existing webhook and logs the change. */
  const change = (
    actor: Actor,
    [Action, id]: [WebhookAction, number],
    work: (trx: Knex.Transaction) => Promise<boolean>,
  ): Promise<void> =>
    inTransaction(knex, async (trx) => {
      if (!(await work(trx))) throw webhookNotFound();
      await recordActions(trx, actor, [{ Action, KeyColumnName: 'WebhookId', KeyColumnValue: String(id) }]);
    });

  return {
    list: () => listWebhooks(knex),
    create: async (actor, draft, UniqueId) => {
      const { AddressIssue, ...checkedDraft } = await checked(deps, draft, null);
      const creation = { UserId: actor.UserId, UniqueId, RecordTable: 'Webhooks', content: draft };
      const Id = await createOnce(database, creation, async (trx) => {
        const id = await insertNew(trx, deps, { draft: checkedDraft, Secret: newSecret() });
        const Action = 'CreateWebhook';
        await recordActions(trx, actor, [{ Action, KeyColumnName: 'WebhookId', KeyColumnValue: String(id) }]);
        return id;
      });
      return { Id, Secret: await secretOf(deps, Id), AddressIssue };
    },
    update: async (actor, { Id, Revision, ...draft }) => {
      const { ActivityIds, AddressIssue, ...columns } = await checked(deps, draft, Id);
      const isNewAddress = (await findWebhook(knex, Id))?.Url !== columns.Url;
      await change(actor, ['UpdateWebhook', Id], async (trx) => {
        await recordEdit(trx, { table: 'Webhooks', key: Id }, { person: actor, Revision });
        if (!(await changeWebhook(trx, Id, columns))) return false;
        await replaceActivities(trx, Id, ActivityIds);
        if (isNewAddress) await sendWaitingNow(trx, Id);
        return true;
      });
      kick();
      return { AddressIssue };
    },
    delete: (actor, id) => change(actor, ['DeleteWebhook', id], (trx) => removeWebhook(trx, id)),
    rotate: async (actor, Id) => {
      const Secret = newSecret();
      await change(actor, ['RotateWebhookSecret', Id], (trx) => replaceSecret(trx, deps, { Id, Secret }));
      kick();
      return { Id, Secret };
    },
    test: async (id) => {
      const row = await findWebhook(knex, id);
      if (!row) throw webhookNotFound();
      const trial = { Channel: 'Webhook', Event: 'test', SubjectId: null, WebhookId: id } as const;
      await insertDeliveries(knex, [{ ...trial, TargetKey: targetOf(id), Body: trialBody(row.Name) }]);
      kick();
    },
  };
}

async function listWebhooks(knex: Db): Promise<Webhook[]> {
  const revisionBy = await revisionsOf(knex, 'Webhooks', knex('Webhooks').pluck('Id'));
  const rows = await listWebhookRows(knex);
  const activities = Map.groupBy(await listWebhookActivities(knex), ({ WebhookId }) => WebhookId);
  const counts = await countUndelivered(knex);
  const countOf = (id: number, status: string): number =>
    counts.find(({ WebhookId, Status }) => WebhookId === id && Status === status)?.Count ?? 0;
  return rows.map((row) => ({
    Id: row.Id,
    Name: row.Name,
    Url: row.Url,
    OnRunEnded: row.OnRunEnded,
    OnVersionPublished: row.OnVersionPublished,
    OnApprovalAsked: row.OnApprovalAsked,
    IsActive: row.IsActive,
    ActivityIds: (activities.get(row.Id) ?? []).map(({ ActivityId }) => ActivityId),
    Revision: revisionBy(row.Id),
    CreateTime: row.CreateTime.toISOString(),
    OldSecretUntil: row.IsOldSecretUsed ? row.OldSecretUntil!.toISOString() : null,
    Waiting: countOf(row.Id, 'Waiting'),
    GivenUp: countOf(row.Id, 'GivenUp'),
  }));
}

async function insertNew(
  trx: Knex.Transaction,
  { database: { dialect }, secrets }: WebhooksDeps,
  { draft: { ActivityIds, ...columns }, Secret }: { draft: WebhookDraft; Secret: string },
): Promise<number> {
  await dialect.lock(trx, LOCK);
  if ((await countWebhooks(trx)) >= WEBHOOKS_MAX) {
    throw new AppError('tooManyWebhooks', 409, `There are already ${WEBHOOKS_MAX} webhooks: delete one first`);
  }
  const id = await insertWebhook(trx, { ...columns, EncryptedSecret: '' });
  await changeWebhook(trx, id, { EncryptedSecret: secrets.encrypt(keyOf(id), Secret) });
  await replaceActivities(trx, id, ActivityIds);
  return id;
}

/** Reads the stored secret: an earlier call with the same key may have created the webhook. */
async function secretOf({ database: { knex }, secrets }: WebhooksDeps, id: number): Promise<string> {
  const row = await findWebhook(knex, id);
  const secret = row && secrets.decrypt(keyOf(id), row.EncryptedSecret);
  if (typeof secret !== 'string') throw webhookNotFound();
  return secret;
}

async function replaceSecret(
  trx: Knex.Transaction,
  { database: { dialect }, secrets }: WebhooksDeps,
  { Id, Secret }: WebhookSecret,
): Promise<boolean> {
  const row = await findWebhook(trx, Id);
  if (!row) return false;
  // The old one may have been unreadable, so that nothing could be sent.
  await sendWaitingNow(trx, Id);
  return changeWebhook(trx, Id, {
    EncryptedSecret: secrets.encrypt(keyOf(Id), Secret),
    EncryptedOldSecret: row.EncryptedSecret,
    OldSecretUntil: dialect.nowPlus(trx, OLD_SECRET_HOURS * HOUR_SECONDS),
  });
}

/**
 * Throws an AppError 400 if the address is invalid or not allowed by the settings, or if an activity does not exist.
 */
async function checked(
  { database: { knex }, allowed }: WebhooksDeps,
  draft: WebhookDraft,
  id: number | null,
): Promise<WebhookDraft & { AddressIssue: string | null }> {
  const Url = draft.Url.trim();
  const issue = webhookUrlIssue(Url) ?? (URL.canParse(Url) ? null : 'The address is not valid');
  if (issue !== null) throw invalidUrl(issue);
  if ((await countActivities(knex, draft.ActivityIds)) < draft.ActivityIds.length) {
    throw new AppError('activityNotFound', 400, 'One of the activities no longer exists');
  }
  const before = id === null ? undefined : await findWebhook(knex, id);
  // The check is skipped for an unchanged address, so that a webhook can always be switched off.
  const found = before?.Url === Url ? null : await tryAddress(Url, { allowed });
  if (found?.isRefused) throw invalidUrl(found.text);
  return { ...draft, Name: draft.Name.trim(), Url, AddressIssue: found?.text ?? null };
}

const invalidUrl = (issue: string): AppError =>
  new AppError('invalidUrl', 400, issue, { modelState: { Url: [issue] } });

/** Returns the secrets for signing, newest first; empty if the server's key has changed. */
export function secretsOf(
  secrets: WebhookSecrets,
  row: Pick<WebhookRow, 'Id' | 'EncryptedSecret' | 'EncryptedOldSecret' | 'IsOldSecretUsed'>,
): string[] {
  const isOldUsed = row.EncryptedOldSecret !== null && row.IsOldSecretUsed;
  const encrypted = isOldUsed ? [row.EncryptedSecret, row.EncryptedOldSecret!] : [row.EncryptedSecret];
  return encrypted.map((one) => secrets.decrypt(keyOf(row.Id), one)).filter((one) => one !== null);
}
