import { Checkbox, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listActivities } from '#shared/contract/activities.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';

/** Maximum number of activities of an API key. */
const MAX_ACTIVITIES = 100;

/** Chooses activities by checkboxes. */
export function ActivityChoice({
  chosen,
  onChange,
}: {
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
}) {
  const query = useQuery(queryOf(listActivities));
  const { data } = query;
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const activities = (data?.Activities ?? []).filter(({ Name, Schema }) =>
    `${Schema}/${Name}`.toLowerCase().includes(wanted),
  );
  const toggle = (id: number): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset className="rs-choice">
      <legend>{chosen.size > 0 ? t('Activities ({count} chosen)', { count: chosen.size }) : t('Activities')}</legend>
      <InputGroup
        aria-label={t('Find activities')}
        placeholder={t('Find activities')}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <div className="rs-choice-list">
        {activities.map(({ Id, Name, Schema }) => (
          <Checkbox
            key={Id}
            checked={chosen.has(Id)}
            disabled={!chosen.has(Id) && chosen.size >= MAX_ACTIVITIES}
            label={`${Schema}/${Name}`}
            onChange={() => toggle(Id)}
          />
        ))}
        <FetchFailure query={query} text={t('The activities could not be loaded.')} />
        {data && activities.length === 0 && <p>{t('No results to display')}</p>}
      </div>
    </fieldset>
  );
}
