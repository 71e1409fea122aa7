import { Classes, TextArea } from '@blueprintjs/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { MAX_LICENSE_PART_LENGTH, renewLicense, type License } from '#shared/contract/license.ts';
import { formatSerialDate } from '#shared/codecs/serial-date.ts';
import { NO_PERMISSION, toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { encryptPasswords } from '#renderer/api/passwords.ts';
import { profileQuery, useProfile } from '#renderer/app/profile.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';

/** /renewLicense, for user administrators. */
export function RenewLicensePage() {
  const profile = useProfile();
  return (
    <Page title={t('Renew License')} narrow>
      {profile && !profile.IsUserAdmin && <EmptyState title={NO_PERMISSION} />}
      {profile?.IsUserAdmin && (
        <Card>
          <p className={Classes.TEXT_MUTED}>{describe(profile.License)}</p>
          <KeyForm userName={profile.UserName} />
        </Card>
      )}
    </Page>
  );
}

function describe({ Company, Expiry }: License): string {
  if (Company === '') return t('There is no valid license yet.');
  if (Expiry === null) return t('Licensed to {company}, with no expiry date.', { company: Company });
  return t('Licensed to {company} until {expiry}.', { company: Company, expiry: formatSerialDate(Expiry) });
}

/** Splits the key, because it is longer than one encryption operation can hold. */
function splitKey(key: string): string[] {
  return Array.from({ length: Math.ceil(key.length / MAX_LICENSE_PART_LENGTH) }, (_, index) =>
    key.slice(index * MAX_LICENSE_PART_LENGTH, (index + 1) * MAX_LICENSE_PART_LENGTH),
  );
}

function KeyForm({ userName }: { userName: string }) {
  const queries = useQueryClient();
  const [key, setKey] = useState('');
  const [message, setMessage] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isRequesting, setRequesting] = useState(false);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAttempt(attempt + 1);
    // Keys arrive by mail, which breaks lines.
    const plain = key.replaceAll(/\s/g, '');
    setMessage(plain === '' ? t('Enter the new key') : null);
    if (plain === '') return;
    setRequesting(true);
    try {
      const Key = (await encryptPasswords(userName, splitKey(plain))).join('\n');
      const license = await call(renewLicense, { body: { Key } });
      await queries.invalidateQueries({ queryKey: profileQuery.queryKey });
      setKey('');
      showSuccess(describe(license));
    } catch (error) {
      setMessage(toFailure(error).message);
    } finally {
      setRequesting(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <ErrorSummary title={message} attempt={attempt} />
      <FormField label={t('New Key')} labelInfo={t('(Required)')} required helper={t('As the vendor sent it.')}>
        {(field) => (
          <TextArea
            {...field}
            fill
            rows={5}
            spellCheck={false}
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </FormField>
      <SubmitButton text={t('Submit')} loading={isRequesting} />
    </form>
  );
}
