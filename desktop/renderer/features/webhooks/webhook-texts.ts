import type { DeliveryStatus, WebhookEventField } from '#shared/contract/webhooks.ts';

export const EVENT_TEXTS: readonly { field: WebhookEventField; text: string; name: string }[] = [
  { field: 'OnRunEnded', text: 'Run ended', name: 'run.ended' },
  { field: 'OnVersionPublished', text: 'Version published', name: 'version.published' },
  { field: 'OnApprovalAsked', text: 'Approval asked', name: 'approval.asked' },
];

export const eventText = (event: string): string =>
  EVENT_TEXTS.find(({ name }) => name === event)?.text ?? (event === 'test' ? 'Test' : event);

export const DELIVERY_TEXTS: Record<DeliveryStatus, string> = {
  Waiting: 'Waiting',
  Delivered: 'Delivered',
  GivenUp: 'Given up',
};

export const webhookPath = (id: number): string => `/webhooks/${id}`;
