import { Checkbox } from '@blueprintjs/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { AlertList, AlertReceivers } from '#shared/contract/alerts.ts';
import { t } from '#renderer/language/translate.ts';
import { FieldError } from '#renderer/ui/FormField.tsx';
import { PeopleChoice } from '#renderer/ui/PeopleChoice.tsx';
import type { PeopleSource } from './alert-owner.ts';

interface ReceiverFieldsProps {
  label: string;
  source: PeopleSource;
  list: Pick<AlertList, 'Users' | 'CanMail'>;
  receivers: AlertReceivers;
  onChange: (receivers: AlertReceivers) => void;
  error: string | null;
}

/** Who is notified, and how. */
export function ReceiverFields({ label, source, list, receivers, onChange, error }: ReceiverFieldsProps) {
  const noteId = useId();
  const { ByBell, ByMail } = receivers;
  const [Search, setSearch] = useState('');
  const people = useQuery({
    queryKey: [...source.key, Search],
    queryFn: ({ signal }) => source.find(Search, signal),
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
      <ChannelFields receivers={{ ByBell, ByMail }} canMail={list.CanMail} onChange={write} />
      <FieldError id={noteId} error={error} />
    </div>
  );
}

interface ChannelFieldsProps {
  receivers: Pick<AlertReceivers, 'ByBell' | 'ByMail'>;
  canMail: boolean;
  onChange: (changed: Partial<AlertReceivers>) => void;
}

export function ChannelFields({ receivers: { ByBell, ByMail }, canMail, onChange }: ChannelFieldsProps) {
  return (
    <div className="rs-bar">
      <Checkbox
        label={t('Bell in the portal')}
        checked={ByBell}
        onChange={({ currentTarget }) => onChange({ ByBell: currentTarget.checked })}
      />
      <Checkbox
        label={canMail ? t('By email') : t('By email (this portal sends none)')}
        checked={ByMail}
        onChange={({ currentTarget }) => onChange({ ByMail: currentTarget.checked })}
      />
    </div>
  );
}
