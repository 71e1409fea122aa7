import type { DeliveryStatus, WebhookEventField } from '#shared/contract/webhooks.ts';
import { t } from '#renderer/language/translate.ts';

export const EVENT_TEXTS: readonly { field: WebhookEventField; text: string; name: string }[] = [
  { field: 'OnRunEnded', text: t('Run ended'), name: 'run.ended' },
  { field: 'OnVersionPublished', text: t('Version published'), name: 'version.published' },
  { field: 'OnApprovalAsked', text: t('Approval requested'), name: 'approval.asked' },
];

export const eventText = (event: string): string =>
  EVENT_TEXTS.find(({ name }) => name === event)?.text ?? (event === 'test' ? 'Test' : event);

export const DELIVERY_TEXTS: Record<DeliveryStatus, string> = {
  Waiting: t('Waiting'),
  Delivered: t('Delivered'),
  GivenUp: t('Not delivered'),
};

export const webhookPath = (id: number): string => `/webhooks/${id}`;
