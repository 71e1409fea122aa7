/** Webhooks: calls from the portal to other programs on events, and their delivery log. */
import { Type, type Static } from 'typebox';
import {
  closed,
  EditedRevision,
  get,
  Id,
  IdParams,
  nullable,
  post,
  Revision,
  RunId,
  RunIdParams,
  Timestamp,
  userAdmin,
} from './endpoint.ts';

export const WEBHOOKS_MAX = 100;
export const WEBHOOK_NAME_MAX = 100;
export const WEBHOOK_URL_MAX = 2000;
export const WEBHOOK_ACTIVITIES_MAX = 200;
export const DELIVERY_PAGE_SIZE = 50;
/** Hours for which the previous secret stays in use beside a new one. */
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
  /** For checklists and workflows that run one of the activities, if ActivityIds lists some. */
  OnApprovalAsked: Type.Boolean(),
  IsActive: Type.Boolean(),
  /** Activities that trigger it; empty for all. */
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
  Revision,
  CreateTime: Timestamp,
  /** Until when the previous secret is used beside the current one. */
  OldSecretUntil: nullable(Timestamp),
  /** Number of waiting deliveries, and of deliveries given up in the last month. */
  Waiting: Type.Integer(),
  GivenUp: Type.Integer(),
});
export type Webhook = Static<typeof Webhook>;

/** Why nothing responds at the saved address; null if something does, or if the address was not changed. */
const AddressIssue = nullable(Type.String());

/** The secret is returned only when it is created. */
export const WebhookSecret = closed({ Id, Secret: Type.String() });
export type WebhookSecret = Static<typeof WebhookSecret>;

export const Delivery = closed({
  Id: RunId,
  /** Sent to the receiver as webhook-id; the same in every attempt. */
  DeliveryKey: Type.String(),
  Event: Type.String(),
  Status: DeliveryStatus,
  Attempts: Type.Integer(),
  CreateTime: Timestamp,
  /** Time of the next attempt; null if there is none. */
  DueTime: nullable(Timestamp),
  /** Status of the last attempt; null if there was no attempt or no response. */
  StatusCode: nullable(Type.Integer()),
  Error: nullable(Type.String()),
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryAttempt = closed({
  Time: Timestamp,
  Milliseconds: Type.Integer(),
  StatusCode: nullable(Type.Integer()),
  Error: nullable(Type.String()),
  /** The beginning of the response. */
  Answer: Type.String(),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const DeliveryDetails = closed({
  ...Delivery.properties,
  Body: Type.String(),
  /** The last 100 attempts, newest first. */
  Log: Type.Array(DeliveryAttempt),
});
export type DeliveryDetails = Static<typeof DeliveryDetails>;

export const listWebhooks = get('/api/admin/webhooks', {
  access: userAdmin,
  summary: 'List the webhooks of this portal',
  parts: { result: closed({ Items: Type.Array(Webhook) }) },
});

export const createWebhook = post('/api/admin/webhooks/create', {
  access: userAdmin,
  summary: 'Create a webhook; returns the secret with which its deliveries are signed',
  parts: { body: WebhookDraft, result: closed({ ...WebhookSecret.properties, AddressIssue }) },
});

export const updateWebhook = post('/api/admin/webhooks/update', {
  access: userAdmin,
  summary: 'Update a webhook',
  parts: { body: closed({ Id, ...Fields, Revision: EditedRevision }), result: closed({ AddressIssue }) },
});

export const deleteWebhook = post('/api/admin/webhooks/delete/:id', {
  access: userAdmin,
  summary: 'Delete a webhook and the log of its deliveries',
  parts: { params: IdParams, result: Type.Null() },
});

export const rotateWebhookSecret = post('/api/admin/webhooks/rotate/:id', {
  access: userAdmin,
  summary: 'Create a new secret for a webhook; the previous one is also used for another day',
  parts: { params: IdParams, result: WebhookSecret },
});

export const testWebhook = post('/api/admin/webhooks/test/:id', {
  access: userAdmin,
  summary: 'Send a test to a webhook',
  parts: { params: IdParams, result: Type.Null() },
});

export const listDeliveries = get('/api/admin/webhooks/:id/deliveries', {
  access: userAdmin,
  summary: 'List the deliveries of a webhook, newest first, paged',
  parts: {
    params: IdParams,
    query: closed({ Before: Type.Optional(RunId), Status: Type.Optional(DeliveryStatus) }),
    result: closed({ Items: Type.Array(Delivery), HasMore: Type.Boolean() }),
  },
});

export const deliveryDetails = get('/api/admin/webhooks/deliveries/:id', {
  access: userAdmin,
  summary: 'Get the content of a delivery to a webhook, and the outcome of each attempt',
  parts: { params: RunIdParams, result: DeliveryDetails },
});

export const redeliver = post('/api/admin/webhooks/deliveries/:id/redeliver', {
  access: userAdmin,
  summary: 'Send a delivery to a webhook again, or earlier than its next attempt, with the same id',
  parts: { params: RunIdParams, result: Type.Null() },
});

export const sendWaiting = post('/api/admin/webhooks/sendWaiting/:id', {
  access: userAdmin,
  summary: 'Send all waiting deliveries of a webhook now',
  parts: { params: IdParams, result: closed({ Count: Type.Integer() }) },
});
