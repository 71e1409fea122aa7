/** Calls that the portal makes to other programs when something has happened, and the log of them. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, nullable, post, RunId, RunIdParams, Timestamp, userAdmin } from './endpoint.ts';

export const WEBHOOKS_MAX = 100;
export const WEBHOOK_NAME_MAX = 100;
export const WEBHOOK_URL_MAX = 2000;
export const WEBHOOK_ACTIVITIES_MAX = 200;
export const DELIVERY_PAGE_SIZE = 50;
/** Hours for which the secret before is used besides a new one. */
export const OLD_SECRET_HOURS = 24;

export const WEBHOOK_EVENTS = {
  OnRunEnded: 'run.ended',
  OnVersionPublished: 'version.published',
  OnApprovalAsked: 'approval.asked',
} as const;
export type WebhookEventField = keyof typeof WEBHOOK_EVENTS;

const Fields = {
  Name: Type.String({ minLength: 1, maxLength: WEBHOOK_NAME_MAX, pattern: '\\S' }),
  /** https://, or http:// to a private address that the settings allow. */
  Url: Type.String({ minLength: 1, maxLength: WEBHOOK_URL_MAX }),
  OnRunEnded: Type.Boolean(),
  OnVersionPublished: Type.Boolean(),
  /** Of checklists and workflows that run one of the activities, where some are chosen. */
  OnApprovalAsked: Type.Boolean(),
  IsActive: Type.Boolean(),
  /** Of which activities it tells; none stands for all. */
  ActivityIds: Type.Array(Id, { maxItems: WEBHOOK_ACTIVITIES_MAX, uniqueItems: true }),
};

export const WebhookDraft = closed(Fields);
export type WebhookDraft = Static<typeof WebhookDraft>;

export const DELIVERY_STATUSES = ['Waiting', 'Delivered', 'GivenUp'] as const;
export const DeliveryStatus = Type.Enum(DELIVERY_STATUSES);
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const Webhook = closed({
  Id,
  ...Fields,
  CreateTime: Timestamp,
  /** Until when the secret before the present one is used, too. */
  OldSecretUntil: nullable(Timestamp),
  /** How many deliveries wait, and how many were given up in the last month. */
  Waiting: Type.Integer(),
  GivenUp: Type.Integer(),
});
export type Webhook = Static<typeof Webhook>;

/** Why nobody answers at the address that was saved; null where somebody does, and where it has not changed. */
const AddressIssue = nullable(Type.String());

/** A secret is shown when it is made, and never again. */
export const WebhookSecret = closed({ Id, Secret: Type.String() });
export type WebhookSecret = Static<typeof WebhookSecret>;

export const Delivery = closed({
  Id: RunId,
  /** What the receiver gets as webhook-id: the same in every attempt. */
  DeliveryKey: Type.String(),
  Event: Type.String(),
  Status: DeliveryStatus,
  Attempts: Type.Integer(),
  CreateTime: Timestamp,
  /** When it is tried next; null where it is not. */
  DueTime: nullable(Timestamp),
  /** Of the last attempt; null where there was none, or no answer. */
  StatusCode: nullable(Type.Integer()),
  Error: nullable(Type.String()),
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryAttempt = closed({
  Time: Timestamp,
  Milliseconds: Type.Integer(),
  StatusCode: nullable(Type.Integer()),
  Error: nullable(Type.String()),
  /** The beginning of the answer. */
  Answer: Type.String(),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const DeliveryDetails = closed({
  ...Delivery.properties,
  Body: Type.String(),
  /** Newest first, the last hundred. */
  Log: Type.Array(DeliveryAttempt),
});
export type DeliveryDetails = Static<typeof DeliveryDetails>;

export const listWebhooks = get('/api/admin/webhooks', {
  access: userAdmin,
  summary: 'The webhooks of this portal',
  parts: { result: closed({ Items: Type.Array(Webhook) }) },
});

export const createWebhook = post('/api/admin/webhooks/create', {
  access: userAdmin,
  summary: 'Add a webhook; answers the secret with which its deliveries are signed',
  parts: { body: WebhookDraft, result: closed({ ...WebhookSecret.properties, AddressIssue }) },
});

export const updateWebhook = post('/api/admin/webhooks/update', {
  access: userAdmin,
  summary: 'Change a webhook',
  parts: { body: closed({ Id, ...Fields }), result: closed({ AddressIssue }) },
});

export const deleteWebhook = post('/api/admin/webhooks/delete/:id', {
  access: userAdmin,
  summary: 'Remove a webhook and the log of its deliveries',
  parts: { params: IdParams, result: Type.Null() },
});

export const rotateWebhookSecret = post('/api/admin/webhooks/rotate/:id', {
  access: userAdmin,
  summary: 'Make a new secret for a webhook; the one before is used besides it for a day',
  parts: { params: IdParams, result: WebhookSecret },
});

export const testWebhook = post('/api/admin/webhooks/test/:id', {
  access: userAdmin,
  summary: 'Send a trial to a webhook',
  parts: { params: IdParams, result: Type.Null() },
});

export const listDeliveries = get('/api/admin/webhooks/:id/deliveries', {
  access: userAdmin,
  summary: 'The deliveries of a webhook, newest first, a page at a time',
  parts: {
    params: IdParams,
    query: closed({ Before: Type.Optional(RunId), Status: Type.Optional(DeliveryStatus) }),
    result: closed({ Items: Type.Array(Delivery), HasMore: Type.Boolean() }),
  },
});

export const deliveryDetails = get('/api/admin/webhooks/deliveries/:id', {
  access: userAdmin,
  summary: 'What was sent in a delivery to a webhook, and how each attempt ended',
  parts: { params: RunIdParams, result: DeliveryDetails },
});

export const redeliver = post('/api/admin/webhooks/deliveries/:id/redeliver', {
  access: userAdmin,
  summary: 'Send a delivery to a webhook again, with the same id',
  parts: { params: RunIdParams, result: Type.Null() },
});
