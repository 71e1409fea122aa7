import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { PickerPage } from '#shared/contract/activities.ts';
import { listProcedures, type ProcedureItem } from '#shared/contract/procedures.ts';
import { pickFrom } from '#shared/rules/list-picker.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { PickerInput } from '#renderer/ui/picker/PickerInput.tsx';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';
import { said, t } from '#renderer/language/translate.ts';
import { FormField } from '#renderer/ui/FormField.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { schemaOf } from './procedure-settings.ts';

interface ProcedureChooserProps {
  /** '' if none is chosen. */
  chosen: string;
  onChoose: (procedureName: string) => void;
  error: string | null;
}

/** Chooses one of the stored procedures that the user may turn into activities, searched by any part of the name. */
export function ProcedureChooser(props: ProcedureChooserProps) {
  // Do not cache a list that lacks the procedures of a connection, because the connection may recover.
  const { data, error, refetch } = useQuery({
    ...queryOf(listProcedures),
    staleTime: ({ state }) => (state.data && state.data.Messages.length > 0 ? 0 : 60_000),
  });
  if (!data) return error ? <FailureState error={error} onRetry={() => void refetch()} /> : <Skeleton kind="form" />;
  return (
    <>
      <Choice {...props} items={data.Items} />
      {data.Messages.map((message) => (
        <p key={message} className="rs-muted">
          {said(message)}
        </p>
      ))}
    </>
  );
}

function Choice({ items, chosen, onChoose, error }: ProcedureChooserProps & { items: readonly ProcedureItem[] }) {
  const [text, setText] = useState(chosen);
  const source = useMemo(() => sourceOf(items), [items]);
  const isUnknown = text !== '' && text !== chosen;
  const write = (typed: string): void => {
    setText(typed);
    const found = items.some(({ ProcedureName }) => ProcedureName === typed) ? typed : '';
    if (found !== chosen) onChoose(found);
  };
  const issue = isUnknown && error !== null ? error : chosen === '' ? error : null;
  return (
    <FormField
      id="procedure"
      label={t('Stored procedure')}
      required
      error={issue}
      helper={
        items.length === 0
          ? t('The named connections that you may use have no procedures.')
          : isUnknown
            ? t('Choose one from the list.')
            : undefined
      }
    >
      {(field) => (
        <PickerInput
          id={field.id}
          label={t('Stored procedure')}
          value={text}
          source={source}
          intent={field.intent}
          describedBy={field['aria-describedby']}
          invalid={field['aria-invalid']}
          required
          onChange={write}
        />
      )}
    </FormField>
  );
}

function sourceOf(items: readonly ProcedureItem[]): PickerSource {
  const groups = new Map(items.map(({ ProcedureName }) => [ProcedureName, schemaOf(ProcedureName)]));
  const refusals = new Map(items.map(({ ProcedureName, Refusals }) => [ProcedureName, Refusals.join('. ')]));
  return {
    key: ['procedures', [...groups.keys()].join('\n')],
    preventOtherValues: true,
    blank: false,
    opensAtValue: false,
    load: async (query): Promise<PickerPage> => {
      const page = pickFrom([...groups.keys()], query);
      return { ...page, Items: page.Items.map(({ Value }) => ({ Value, Group: groups.get(Value)! })) };
    },
    // List procedures that cannot become activities with the reason. Otherwise users would think that the portal does
    // not see them.
    refusal: (value) => refusals.get(value) || null,
    show: (value) => value,
    seek: (value) => value,
  };
}
