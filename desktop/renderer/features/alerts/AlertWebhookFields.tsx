import { Button, HTMLSelect } from '@blueprintjs/core';
import { Add, Cross } from '@blueprintjs/icons';
import { useId } from 'react';
import { ALERT_WEBHOOK_KINDS, ALERT_WEBHOOKS_MAX, type AlertWebhookKind } from '#shared/contract/alerts.ts';
import { t } from '#renderer/language/translate.ts';
import { FieldError } from '#renderer/ui/FormField.tsx';
import { LimitedInput } from '#renderer/ui/LimitedInput.tsx';
import { isUnaddressed, type TypedWebhook } from './alert-fields.ts';

interface AlertWebhookFieldsProps {
  webhooks: readonly TypedWebhook[];
  onChange: (webhooks: TypedWebhook[]) => void;
  error: string | null;
}

/** Fields for channels of Teams and Slack. A stored address is not shown; it can only be replaced. */
export function AlertWebhookFields({ webhooks, onChange, error }: AlertWebhookFieldsProps) {
  const noteId = useId();
  const write = (position: number, changed: Partial<TypedWebhook>): void =>
    onChange(webhooks.map((one, index) => (index === position ? { ...one, ...changed } : one)));
  // The server finds stored addresses by position. If a stored channel follows, replace this one with an empty one
  // instead of removing it.
  const remove = (position: number): void => {
    const isRemovable = webhooks.slice(position + 1).every(({ Host }) => Host === null);
    if (isRemovable) onChange(webhooks.filter((_, index) => index !== position));
    else write(position, { Host: null, Url: '' });
  };
  return (
    <div
      role="group"
      aria-label={t('Channels')}
      aria-describedby={error === null ? undefined : noteId}
      className="rs-field"
    >
      <div className="rs-field-label">{t('Channels in Teams and Slack')}</div>
      {webhooks.map((webhook, position) => (
        <div key={position} className="rs-bar rs-alert-webhook">
          <HTMLSelect
            aria-label={t('Kind of channel {place}', { place: position + 1 })}
            value={webhook.Kind}
            options={[...ALERT_WEBHOOK_KINDS]}
            onChange={({ currentTarget: { value } }) => write(position, { Kind: value as AlertWebhookKind })}
          />
          {webhook.Host === null ? (
            <LimitedInput
              fill
              aria-label={t('Address of channel {place}', { place: position + 1 })}
              placeholder="https://"
              intent={error !== null && isUnaddressed(webhook) ? 'danger' : 'none'}
              maxLength={2000}
              value={webhook.Url}
              onValueChange={(Url) => write(position, { Url })}
            />
          ) : (
            <span>{webhook.Host}</span>
          )}
          <Button
            variant="minimal"
            icon={<Cross />}
            aria-label={t('Remove channel {place}', { place: position + 1 })}
            onClick={() => remove(position)}
          />
        </div>
      ))}
      <FieldError id={noteId} error={error} />
      <Button
        size="small"
        icon={<Add />}
        text={t('Add a channel')}
        disabled={webhooks.length >= ALERT_WEBHOOKS_MAX}
        onClick={() => onChange([...webhooks, { Kind: 'Teams', Host: null, Url: '' }])}
      />
    </div>
  );
}
