import { Checkbox, InputGroup } from '@blueprintjs/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from './FetchFailure.tsx';
import { useAwaitedEnter } from './use-awaited-enter.ts';

interface Chosen {
  Roles: readonly string[];
  UserIds: readonly number[];
}

interface NamedUser {
  UserId: number;
  UserName: string;
  UserFullName: string;
}

interface FoundPeople {
  Roles: readonly string[];
  Users: readonly NamedUser[];
  HasMore: boolean;
}

interface PeopleChoiceProps {
  chosen: Chosen;
  /** Users that may be chosen although the search does not return them. */
  named?: readonly NamedUser[];
  /** The search. The response may also contain people who are chosen already. */
  people: UseQueryResult<FoundPeople>;
  search: string;
  searchLabel: string;
  placeholder: string;
  listClass: string;
  isReadOnly?: boolean;
  onSearch: (search: string) => void;
  onChange: (chosen: { Roles: string[]; UserIds: number[] }) => void;
}

/** Roles and people, with the chosen ones first. The others are found by parts of their names. */
export function PeopleChoice(props: PeopleChoiceProps) {
  const { chosen, people, isReadOnly = false, onChange } = props;
  const { Roles, UserIds } = chosen;
  const { data } = people;
  const wanted = props.search.trim().toLowerCase();
  const isFound = (name: string): boolean => name.toLowerCase().includes(wanted);
  const roles = [...new Set([...Roles, ...(data?.Roles ?? []).filter(isFound)])];
  const found = data?.Users ?? [];
  const names = new Map(
    [...(props.named ?? []), ...found].map((user) => [user.UserId, `${user.UserFullName} (${user.UserName})`]),
  );
  const users = [...new Set([...UserIds, ...found.map(({ UserId }) => UserId)])];
  const takeOnly = (): void => {
    const newRoles = roles.filter((role) => isFound(role) && !Roles.includes(role));
    const newUsers = found.map(({ UserId }) => UserId).filter((id) => !UserIds.includes(id));
    if (wanted === '' || newRoles.length + newUsers.length !== 1) return;
    onChange({ Roles: [...Roles, ...newRoles], UserIds: [...UserIds, ...newUsers] });
    props.onSearch('');
  };
  return (
    <>
      {!isReadOnly && <PeopleSearch {...props} onTakeOnly={takeOnly} />}
      <FetchFailure query={people} text={t('Roles and people could not be loaded.')} />
      <div className={props.listClass}>
        {roles.map((role) => (
          <Checkbox
            key={`role ${role}`}
            label={t('Role {role}', { role })}
            checked={Roles.includes(role)}
            disabled={isReadOnly}
            onChange={({ currentTarget: { checked } }) =>
              onChange({ Roles: toggled(Roles, role, checked), UserIds: [...UserIds] })
            }
          />
        ))}
        {users.map((id) => (
          <Checkbox
            key={id}
            label={names.get(id) ?? t('Person {id}', { id })}
            checked={UserIds.includes(id)}
            disabled={isReadOnly}
            onChange={({ currentTarget: { checked } }) =>
              onChange({ Roles: [...Roles], UserIds: toggled(UserIds, id, checked) })
            }
          />
        ))}
        {data?.HasMore && <p className="rs-muted">{t('There are more people. Search to find them.')}</p>}
      </div>
    </>
  );
}

const toggled = <T,>(items: readonly T[], item: T, isIn: boolean): T[] =>
  isIn ? [...items, item] : items.filter((one) => one !== item);

type PeopleSearchProps = PeopleChoiceProps & { onTakeOnly: () => void };

function PeopleSearch({ people, search, searchLabel, placeholder, onSearch, onTakeOnly }: PeopleSearchProps) {
  const isAnswered = people.data !== undefined && !people.isPlaceholderData;
  const waitWithEnter = useAwaitedEnter(search, isAnswered, onTakeOnly);
  return (
    <InputGroup
      aria-label={searchLabel}
      placeholder={placeholder}
      value={search}
      onValueChange={onSearch}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.ctrlKey) return;
        // Enter takes the only result and does not submit the form.
        event.preventDefault();
        if (isAnswered) onTakeOnly();
        else waitWithEnter();
      }}
    />
  );
}
