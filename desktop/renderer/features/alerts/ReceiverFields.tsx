import { Checkbox, InputGroup } from '@blueprintjs/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { alertPeople, type AlertList, type AlertReceivers } from '#shared/contract/alerts.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FieldError } from '#renderer/ui/FormField.tsx';
import { useAwaitedEnter } from '#renderer/ui/use-awaited-enter.ts';
import { ownerBody, type AlertOwner } from './alert-owner.ts';

interface ReceiverFieldsProps {
  label: string;
  owner: AlertOwner;
  list: AlertList;
  receivers: AlertReceivers;
  onChange: (receivers: AlertReceivers) => void;
  error: string | null;
}

/** Roles and people, with the chosen ones first. The others are found by parts of their names. */
export function ReceiverFields({ label, owner, list, receivers, onChange, error }: ReceiverFieldsProps) {
  const noteId = useId();
  const { Roles, UserIds, ByBell, ByMail } = receivers;
  const [Search, setSearch] = useState('');
  const people = useQuery({
    queryKey: [alertPeople.path, owner.kind, owner.id, Search],
    queryFn: ({ signal }) => call(alertPeople, { body: { ...ownerBody(owner), Search }, signal }),
    placeholderData: keepPreviousData,
  });
  const { data } = people;
  const write = (changed: Partial<AlertReceivers>): void => onChange({ ...receivers, ...changed });
  const isFound = (name: string): boolean => name.toLowerCase().includes(Search.trim().toLowerCase());
  const roles = [...new Set([...Roles, ...(data?.Roles ?? []).filter(isFound)])];
  const known = new Map(
    [...list.Users, ...(data?.Users ?? [])].map((user) => [user.UserId, `${user.UserFullName} (${user.UserName})`]),
  );
  const found = (data?.Users ?? []).map(({ UserId }) => UserId);
  const users = [...new Set([...UserIds, ...found])];
  const isAnswered = data !== undefined && !people.isPlaceholderData;
  const takeOnly = (): void => {
    const newRoles = roles.filter((role) => isFound(role) && !Roles.includes(role));
    const newUsers = found.filter((id) => !UserIds.includes(id));
    if (Search.trim() === '' || newRoles.length + newUsers.length !== 1) return;
    write({ Roles: [...Roles, ...newRoles], UserIds: [...UserIds, ...newUsers] });
    setSearch('');
  };
  const waitWithEnter = useAwaitedEnter(Search, isAnswered, takeOnly);
  return (
    <div role="group" aria-label={label} aria-describedby={error === null ? undefined : noteId} className="rs-field">
      <div className="rs-field-label">{label}</div>
      <InputGroup
        aria-label={t('Search roles and people: {label}', { label })}
        placeholder={t('Search roles and people')}
        value={Search}
        onValueChange={setSearch}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey) return;
          // Enter takes the only result and does not submit the form.
          event.preventDefault();
          if (isAnswered) takeOnly();
          else waitWithEnter();
        }}
      />
      <FetchFailure query={people} text={t('Roles and people could not be loaded.')} />
      <div className="rs-alert-people">
        {roles.map((role) => (
          <Checkbox
            key={`role ${role}`}
            label={t('Role {role}', { role })}
            checked={Roles.includes(role)}
            onChange={({ currentTarget }) =>
              write({ Roles: currentTarget.checked ? [...Roles, role] : Roles.filter((one) => one !== role) })
            }
          />
        ))}
        {users.map((id) => (
          <Checkbox
            key={id}
            label={known.get(id) ?? t('Person {id}', { id })}
            checked={UserIds.includes(id)}
            onChange={({ currentTarget }) =>
              write({ UserIds: currentTarget.checked ? [...UserIds, id] : UserIds.filter((one) => one !== id) })
            }
          />
        ))}
        {data?.HasMore && <p className="rs-muted">{t('There are more people. Search to find them.')}</p>}
      </div>
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
