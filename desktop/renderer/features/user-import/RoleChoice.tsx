import { Checkbox, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listRoles } from '#shared/contract/roles.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import '../users/users.css';

/** With fewer roles, people find theirs at once. */
const MIN_SEARCHED = 10;

interface RoleChoiceProps {
  label: string;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Chooses roles by checkboxes. Only for people who may manage roles. */
export function RoleChoice({ label, chosen, onChange }: RoleChoiceProps) {
  const query = useQuery(queryOf(listRoles));
  const [search, setSearch] = useState('');
  const roles = query.data?.Items ?? [];
  const wanted = search.trim().toLowerCase();
  const shown = roles.filter(({ Name }) => Name.toLowerCase().includes(wanted));
  return (
    <fieldset className="rs-choice">
      <legend>{label}</legend>
      {roles.length >= MIN_SEARCHED && (
        <InputGroup
          aria-label={t('Find roles')}
          placeholder={t('Find roles')}
          type="search"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <div className="rs-choice-list">
        {shown.map(({ Name, IsActive }) => (
          <Checkbox
            key={Name}
            checked={chosen.includes(Name)}
            label={IsActive ? Name : t('{name} (disabled)', { name: Name })}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...chosen, Name] : chosen.filter((one) => one !== Name))
            }
          />
        ))}
        <FetchFailure query={query} text={t('The roles could not be loaded.')} />
        {query.data && shown.length === 0 && <p className="rs-muted">{t('There are no roles')}</p>}
      </div>
    </fieldset>
  );
}
