import { Button } from '@blueprintjs/core';
import { Add } from '@blueprintjs/icons';
import { useState, type FormEvent } from 'react';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { createSchema } from '#shared/contract/schemas.ts';
import { SCHEMA_NAME_MAX, schemaNameIssue } from '#shared/rules/schema-rules.ts';
import { call } from '#renderer/api/client.ts';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { LimitedInput } from '#renderer/ui/LimitedInput.tsx';
import { showError } from '#renderer/ui/toaster.tsx';

interface NewSchemaProps {
  names: readonly string[];
  touched: readonly Endpoint[];
}

/** Form that creates a schema. Its name is also its display name until it is renamed. */
export function NewSchema({ names, touched }: NewSchemaProps) {
  const [typed, setTyped] = useState('');
  const { isBusy, change, failure } = useFormChange(touched);
  const Name = typed.trim();
  const issue = schemaNameIssue(Name, names);
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (issue !== null) return showError(issue);
    const isDone = await change(() => call(createSchema, { body: { Name, DisplayName: Name } }));
    if (isDone) setTyped('');
  };
  return (
    <>
      <ErrorSummary {...failure} />
      <form className="rs-bar" onSubmit={(event) => void add(event)}>
        <LimitedInput
          aria-label={t('Name of the new schema')}
          placeholder={t('Name of the new schema')}
          value={typed}
          maxLength={SCHEMA_NAME_MAX}
          onValueChange={setTyped}
        />
        <Button
          type="submit"
          icon={<Add />}
          text={t('Add')}
          loading={isBusy}
          disabled={Name !== '' && issue !== null}
          title={Name === '' ? undefined : (issue ?? undefined)}
        />
      </form>
    </>
  );
}
