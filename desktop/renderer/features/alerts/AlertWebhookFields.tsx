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
  const write = (place: number, changed: Partial<TypedWebhook>): void =>
    onChange(webhooks.map((one, index) => (index === place ? { ...one, ...changed } : one)));
  // The server finds stored addresses by position. If a stored channel follows, replace this one with an empty one
  // instead of removing it.
  const remove = (place: number): void => {
    const isRemovable = webhooks.slice(place + 1).every(({ Host }) => Host === null);
    if (isRemovable) onChange(webhooks.filter((_, index) => index !== place));
    else write(place, { Host: null, Url: '' });
  };
  return (
    <div
      role="group"
      aria-label={t('Channels')}
      aria-describedby={error === null ? undefined : noteId}
      className="rs-field"
    >
      <div className="rs-field-label">{t('Channels in Teams and Slack')}</div>
      {webhooks.map((webhook, place) => (
        <div key={place} className="rs-bar rs-alert-webhook">
          <HTMLSelect
            aria-label={t('Kind of channel {place}', { place: place + 1 })}
            value={webhook.Kind}
            options={[...ALERT_WEBHOOK_KINDS]}
            onChange={({ currentTarget: { value } }) => write(place, { Kind: value as AlertWebhookKind })}
          />
          {webhook.Host === null ? (
            <LimitedInput
              fill
              aria-label={t('Address of channel {place}', { place: place + 1 })}
              placeholder="https://"
              intent={error !== null && isUnaddressed(webhook) ? 'danger' : 'none'}
              maxLength={2000}
              value={webhook.Url}
              onValueChange={(Url) => write(place, { Url })}
            />
          ) : (
            <span>{webhook.Host}</span>
          )}
          <Button
            variant="minimal"
            icon={<Cross />}
            aria-label={t('Remove channel {place}', { place: place + 1 })}
            onClick={() => remove(place)}
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
