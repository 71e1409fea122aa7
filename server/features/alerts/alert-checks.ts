/** Checks that alerts and alert rules share. */
import { AppError } from '#server/base/app-error.ts';
import { tryAddress } from '#server/automation/deliveries/try-address.ts';
import type { AlertDraft, AlertReceivers } from '#shared/contract/alerts.ts';
import { hasNoChannel } from '#shared/rules/alert-rules.ts';
import { webhookUrlIssue } from '#shared/rules/webhook-rules.ts';
import type { AlertWebhook, AlertWebhooks } from './alert-webhooks.ts';
import type { AlertRow } from './alerts-repository.ts';

export const invalid = (field: string, text: string): AppError =>
  new AppError('invalidAlert', 400, text, { modelState: { [field]: [text] } });

const NO_CHANNEL = 'Choose the bell, email, or both for the people to notify';

/** @param allowed private network addresses that webhooks may reach */
export async function checkWebhooks(
  webhooks: AlertDraft['Webhooks'],
  { allowed }: { allowed: readonly string[] },
): Promise<void> {
  for (const { Url } of webhooks) {
    if (Url === null) continue;
    const issue = webhookUrlIssue(Url) ?? (URL.canParse(Url.trim()) ? null : 'The address is not valid');
    if (issue !== null) throw invalid('Webhooks', issue);
    const found = await tryAddress(Url.trim(), { allowed });
    if (found?.isRefused) throw invalid('Webhooks', found.text);
  }
}

export function checkReceivers(
  field: string,
  receivers: AlertReceivers,
  webhookCount: number,
  deps: { canMail: boolean },
): void {
  if (receivers.Roles.length + receivers.UserIds.length + webhookCount === 0)
    throw invalid(field, 'Choose who is notified');
  checkChannel(field, receivers, deps);
}

export function checkChannel(field: string, receivers: AlertReceivers, { canMail }: { canMail: boolean }): void {
  if (!hasNoChannel(receivers, canMail)) return;
  throw invalid(field, canMail ? NO_CHANNEL : 'This portal does not send email: choose the bell for the recipients');
}

/** A webhook without a new address keeps the address stored at the same position. */
export function addressed(
  typed: AlertDraft['Webhooks'],
  before: AlertRow | undefined,
  webhooks: AlertWebhooks,
): AlertWebhook[] {
  const known = before ? webhooks.decrypt(before.EncryptedWebhooks) : [];
  return typed.map(({ Kind, Url }, index) => {
    const address = Url === null ? known[index]?.Url : Url.trim();
    if (address === undefined) throw invalid('Webhooks', 'Enter the address of the webhook');
    return { Kind, Url: address };
  });
}
