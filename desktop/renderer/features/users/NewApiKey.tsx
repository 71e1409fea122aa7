import { Checkbox, HTMLSelect } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import { createApiKey, listApiKeys, NEW_KEY, type KeyScope } from '#shared/contract/users.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { ActivityChoice } from './ActivityChoice.tsx';

const TOUCHED = [listApiKeys] as const;

export const SCOPES: Record<KeyScope, string> = {
  Run: t('Run activities and see runs'),
  All: t('Everything the user can do'),
};

/** The scopes that the form offers. Keys for running are for all activities or for chosen ones. */
const CHOICES = [
  { value: 'Run', label: SCOPES.Run },
  { value: 'Chosen', label: t('Run chosen activities and see their runs') },
  { value: 'All', label: SCOPES.All },
] as const;
type Choice = (typeof CHOICES)[number]['value'];

const LIFETIMES = [
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
  { value: '365', label: t('A year') },
  { value: '', label: t('Never') },
];

export function NewApiKey({ userId, onCreated }: { userId: number; onCreated: (key: string) => void }) {
  const [name, setName] = useState('');
  // Start with the smaller scope, because most programs only run activities.
  const [choice, setChoice] = useState<Choice>(NEW_KEY.Scope);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const isUnchosen = choice === 'Chosen' && chosen.size === 0;
  const [writes, setWrites] = useState(false);
  const [days, setDays] = useState(String(NEW_KEY.ExpiryDays));
  const { isBusy, change, failure } = useFormChange(TOUCHED);
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isUnchosen) return;
    const Scope: KeyScope = choice === 'All' ? 'All' : 'Run';
    const Activities = choice === 'Chosen' ? [...chosen] : null;
    const ExpiryDays = days === '' ? null : Number(days);
    const body = { Name: name.trim(), Scope, Activities, ExpiryDays, AssistantWrites: writes };
    await change(async () => {
      const created = (await call(createApiKey, { params: { id: userId }, body })) as
        | { Key: string }
        | null
        | undefined;
      if (!created) throw new AppFailure(t('Unknown error!'));
      onCreated(created.Key);
      setName('');
      setChosen(new Set());
      setWrites(false);
    });
  };
  return (
    <Card title={t('New API key')}>
      <form onSubmit={(event) => void create(event)}>
        <TextField
          label={t('Name')}
          value={name}
          onChange={setName}
          maxLength={60}
          helper={t('So that you can recognize the key later')}
        />
        <FormField label={t('Scope')} helper={t('What the key may be used for, within the rights of the user')}>
          {(field) => (
            <HTMLSelect
              id={field.id}
              aria-describedby={field['aria-describedby']}
              value={choice}
              options={CHOICES}
              onChange={(event) => setChoice(event.currentTarget.value as Choice)}
            />
          )}
        </FormField>
        {choice === 'Chosen' && <ActivityChoice chosen={chosen} onChange={setChosen} />}
        <LifetimeField days={days} onChange={setDays} />
        <Checkbox
          checked={writes}
          label={t('Assistants with the key start runs that change data without asking')}
          onChange={(event) => setWrites(event.currentTarget.checked)}
        />
        <ErrorSummary {...failure} />
        <SubmitButton text={t('Create API key')} loading={isBusy} disabled={isUnchosen} />
      </form>
    </Card>
  );
}

function LifetimeField({ days, onChange }: { days: string; onChange: (days: string) => void }) {
  return (
    <FormField label={t('Expires')}>
      {(field) => (
        <HTMLSelect
          id={field.id}
          value={days}
          options={LIFETIMES}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </FormField>
  );
}
