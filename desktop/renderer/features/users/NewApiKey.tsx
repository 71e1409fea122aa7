import { HTMLSelect } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import { createApiKey, listApiKeys, NEW_KEY, type KeyScope } from '#shared/contract/users.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/features/administration/use-change.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';

const TOUCHED = [listApiKeys] as const;

export const SCOPES: Record<KeyScope, string> = {
  Run: 'Run activities and see runs',
  All: 'All that the user may',
};

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'Never' },
];

export function NewApiKey({ userId, onCreated }: { userId: number; onCreated: (key: string) => void }) {
  const [name, setName] = useState('');
  // The lesser one first: most programs run activities.
  const [scope, setScope] = useState<KeyScope>(NEW_KEY.Scope);
  const [days, setDays] = useState(String(NEW_KEY.ExpiryDays));
  const { isBusy, change } = useChange(TOUCHED);
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const body = { Name: name.trim(), Scope: scope, ExpiryDays: days === '' ? null : Number(days) };
    await change(async () => {
      const made = (await call(createApiKey, { params: { id: userId }, body })) as { Key: string } | null | undefined;
      if (!made) throw new AppFailure('Unknown error!');
      onCreated(made.Key);
      setName('');
    });
  };
  return (
    <Card title="New API Key">
      <form onSubmit={(event) => void create(event)}>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          maxLength={60}
          helper="What the key is for, to find it again"
        />
        <FormField label="Scope" helper="What the key may be used for, as far as the user has the rights">
          {(field) => (
            <HTMLSelect
              id={field.id}
              aria-describedby={field['aria-describedby']}
              value={scope}
              options={Object.entries(SCOPES).map(([value, label]) => ({ value, label }))}
              onChange={(event) => setScope(event.currentTarget.value === 'All' ? 'All' : 'Run')}
            />
          )}
        </FormField>
        <FormField label="Expires">
          {(field) => (
            <HTMLSelect
              id={field.id}
              value={days}
              options={LIFETIMES}
              onChange={(event) => setDays(event.currentTarget.value)}
            />
          )}
        </FormField>
        <SubmitButton text="Create API Key" loading={isBusy} />
      </form>
    </Card>
  );
}
