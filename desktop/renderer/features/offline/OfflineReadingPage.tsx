import { Button, Classes, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { OFFLINE_DAYS_MAX, offlineReading, setOfflineReading } from '#shared/contract/offline-reading.ts';
import { NO_PERMISSION, toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';

/** /offlineReading, for user administrators. */
export function OfflineReadingPage() {
  const profile = useProfile();
  const { data, error, refetch } = useQuery(queryOf(offlineReading));
  return (
    <Page title={t('Offline reading')} narrow>
      {profile && !profile.IsUserAdmin && <EmptyState title={NO_PERMISSION} />}
      {profile?.IsUserAdmin && error && <FailureState error={error} onRetry={() => void refetch()} />}
      {profile?.IsUserAdmin && !error && !data && <Skeleton kind="form" />}
      {profile?.IsUserAdmin && data && (
        <Card>
          <p className={Classes.TEXT_MUTED}>
            {t(
              'The desktop client stores what users have opened, encrypted, on their computers. They can read it while the server is unavailable, until they sign out.',
            )}
          </p>
          <DaysForm key={data.Days} days={data.Days} />
        </Card>
      )}
    </Page>
  );
}

const ISSUE = t('Enter a whole number from 0 to {max}', { max: OFFLINE_DAYS_MAX });

function DaysForm({ days }: { days: number }) {
  const [typed, setTyped] = useState(String(days));
  const [message, setMessage] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const reason = useServerReason();

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAttempt(attempt + 1);
    const Days = /^\s*\d{1,4}\s*$/.test(typed) ? Number(typed) : Number.NaN;
    const isRight = Days <= OFFLINE_DAYS_MAX;
    setMessage(isRight ? null : ISSUE);
    if (!isRight) return;
    setSaving(true);
    try {
      await call(setOfflineReading, { body: { Days } });
      await queryClient.invalidateQueries({ queryKey: keyOf(offlineReading) });
      showSuccess(
        Days === 0
          ? t('Nothing is stored from now on')
          : t('Opened content can be read offline for {days}', { days: daysText(Days) }),
      );
    } catch (error) {
      setMessage(toFailure(error).message);
    } finally {
      setSaving(false);
    }
  };

  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <ErrorSummary title={message} attempt={attempt} />
      <FormField
        label={t('Days')}
        labelInfo={t('(Required)')}
        required
        helper={t(
          'Days since the client last reached the server, 0 to {max}. With 0, nothing is stored, and a client deletes what it has stored when it next reaches the server.',
          { max: OFFLINE_DAYS_MAX },
        )}
      >
        {(field) => (
          <InputGroup
            {...field}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </FormField>
      <Button
        type="submit"
        intent="primary"
        text={t('Save')}
        loading={isSaving}
        disabled={reason !== undefined}
        title={reason}
      />
    </form>
  );
}

const daysText = (days: number): string => t('{days, plural, one {1 day} other {# days}}', { days });
