import { Callout, Switch } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { notificationSettings, saveNotificationSettings } from '#shared/contract/alerts.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import {
  notificationChoices,
  saveNotificationChoices,
  type NotificationChoices,
} from '#shared/contract/notification-choices.ts';
import { notifications } from '#shared/contract/notifications.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { TimeField } from '#renderer/ui/date/TimeField.tsx';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { minuteText, readMinute } from './alert-fields.ts';
import { ChoiceFields } from './ChoiceFields.tsx';
import './alerts.css';

const TOUCHED = [notificationSettings, notificationChoices, notifications] as const;
type Settings = ResultOf<typeof notificationSettings>;

/** /notifications/settings */
export function NotificationSettingsPage() {
  const query = useQuery({ ...queryOf(notificationSettings), staleTime: Infinity, gcTime: 0 });
  const choices = useQuery({ ...queryOf(notificationChoices), staleTime: Infinity, gcTime: 0 });
  return (
    <Page title={t('Notification settings')} description={t('What you are notified of, when and how.')} narrow>
      <QueryStates query={query} kind="form">
        {(settings) => (
          <QueryStates query={choices} kind="form">
            {(stored) => <SettingsForm settings={settings} stored={stored} />}
          </QueryStates>
        )}
      </QueryStates>
    </Page>
  );
}

const shown = (minute: number | null, otherwise: string): string => (minute === null ? otherwise : minuteText(minute));

function SettingsForm({ settings, stored }: { settings: Settings; stored: NotificationChoices }) {
  const { isBusy, change, failure } = useFormChange(TOUCHED);
  const [isQuiet, setQuiet] = useState(settings.QuietFrom !== null);
  const [from, setFrom] = useState(shown(settings.QuietFrom, '20:00'));
  const [until, setUntil] = useState(shown(settings.QuietUntil, '07:00'));
  const [hasSummary, setSummary] = useState(settings.SummaryAt !== null);
  const [at, setAt] = useState(shown(settings.SummaryAt, '08:00'));
  const [zone, setZone] = useState(settings.TimeZone);
  const [chosen, setChosen] = useState(stored);
  const [isTried, setTried] = useState(false);
  const errorOf = (text: string, isUsed: boolean): string | null =>
    isTried && isUsed && readMinute(text) === null ? t('Enter a time of day') : null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const used = [...(isQuiet ? [from, until] : []), ...(hasSummary ? [at] : [])];
    if (used.some((text) => readMinute(text) === null)) return;
    const body = {
      QuietFrom: isQuiet ? readMinute(from) : null,
      QuietUntil: isQuiet ? readMinute(until) : null,
      SummaryAt: hasSummary ? readMinute(at) : null,
      TimeZone: zone.trim(),
    };
    const save = async (): Promise<void> => {
      await call(saveNotificationSettings, { body });
      await call(saveNotificationChoices, { body: chosen });
    };
    void change(save, t('Settings saved'));
  };
  return (
    <form onSubmit={submit} noValidate>
      <ChoiceFields canMail={settings.CanMail} chosen={chosen} onChange={setChosen} />
      <Card title={t('Quiet hours')}>
        <Switch
          label={t('Do not notify me of alerts at certain hours')}
          checked={isQuiet}
          onChange={(event) => setQuiet(event.currentTarget.checked)}
        />
        {isQuiet && (
          <>
            <FormField label={t('From')} error={errorOf(from, isQuiet)}>
              {(field) => <TimeField field={field} value={from} onChange={setFrom} />}
            </FormField>
            <FormField label={t('Until')} error={errorOf(until, isQuiet)} helper={t('Held-back alerts are sent then')}>
              {(field) => <TimeField field={field} value={until} onChange={setUntil} />}
            </FormField>
          </>
        )}
      </Card>
      <Card title={t('Daily summary')}>
        <Switch
          label={t('Send me an email once a day')}
          checked={hasSummary}
          onChange={(event) => setSummary(event.currentTarget.checked)}
        />
        {hasSummary && (
          <FormField
            label={t('Send at')}
            error={errorOf(at, hasSummary)}
            helper={t('Outcomes of your runs of the last 24 hours, alerts, and approvals waiting for you')}
          >
            {(field) => <TimeField field={field} value={at} onChange={setAt} />}
          </FormField>
        )}
        {hasSummary && !settings.CanMail && <Callout intent="warning">{t('This portal does not send email.')}</Callout>}
        {hasSummary && settings.CanMail && !settings.HasEmail && (
          <Callout intent="warning">
            {t('Your user account has no email address. Ask an administrator to add it.')}
          </Callout>
        )}
      </Card>
      <Card>
        <TextField
          label={t('Time zone')}
          maxLength={64}
          value={zone}
          onChange={setZone}
          helper={t('For example Europe/Berlin; all times here are in this time zone')}
        />
      </Card>
      <ErrorSummary {...failure} />
      <div className="rs-form-actions">
        <SubmitButton text={t('Save')} loading={isBusy} />
      </div>
    </form>
  );
}
