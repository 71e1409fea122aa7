import { Checkbox } from '@blueprintjs/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { alertPeople, type AlertList, type AlertReceivers } from '#shared/contract/alerts.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { FieldError } from '#renderer/ui/FormField.tsx';
import { PeopleChoice } from '#renderer/ui/PeopleChoice.tsx';
import { ownerBody, type AlertOwner } from './alert-owner.ts';

interface ReceiverFieldsProps {
  label: string;
  owner: AlertOwner;
  list: AlertList;
  receivers: AlertReceivers;
  onChange: (receivers: AlertReceivers) => void;
  error: string | null;
}

/** Who is notified, and how. */
export function ReceiverFields({ label, owner, list, receivers, onChange, error }: ReceiverFieldsProps) {
  const noteId = useId();
  const { ByBell, ByMail } = receivers;
  const [Search, setSearch] = useState('');
  const people = useQuery({
    queryKey: [alertPeople.path, owner.kind, owner.id, Search],
    queryFn: ({ signal }) => call(alertPeople, { body: { ...ownerBody(owner), Search }, signal }),
    placeholderData: keepPreviousData,
  });
  const write = (changed: Partial<AlertReceivers>): void => onChange({ ...receivers, ...changed });
  return (
    <div role="group" aria-label={label} aria-describedby={error === null ? undefined : noteId} className="rs-field">
      <div className="rs-field-label">{label}</div>
      <PeopleChoice
        chosen={receivers}
        named={list.Users}
        people={people}
        search={Search}
        searchLabel={t('Search roles and people: {label}', { label })}
        placeholder={t('Search roles and people')}
        listClass="rs-alert-people"
        onSearch={setSearch}
        onChange={write}
      />
      <div className="rs-bar">
        <Checkbox
          label={t('Bell in the portal')}
          checked={ByBell}
          onChange={({ currentTarget }) => write({ ByBell: currentTarget.checked })}
        />
        <Checkbox
          label={list.CanMail ? t('By email') : t('By email (this portal sends none)')}
          checked={ByMail}
          onChange={({ currentTarget }) => write({ ByMail: currentTarget.checked })}
        />
      </div>
      <FieldError id={noteId} error={error} />
    </div>
  );
}
