import { Button, HTMLSelect } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import { createApiKey, listApiKeys } from '#shared/contract/users.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/features/administration/use-change.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';

const TOUCHED = [listApiKeys] as const;

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'Never' },
];

export function NewApiKey({ userId, onCreated }: { userId: number; onCreated: (key: string) => void }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const { isBusy, change } = useChange(TOUCHED);
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const body = { Name: name.trim(), ExpiryDays: days === '' ? null : Number(days) };
    await change(async () => {
      const { Key } = await call(createApiKey, { params: { id: userId }, body });
      onCreated(Key);
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
        <Button type="submit" intent="primary" text="Create API Key" loading={isBusy} />
      </form>
    </Card>
  );
}
