import { Checkbox, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listActivities } from '#shared/contract/activities.ts';
import { queryOf } from '#renderer/api/queries.ts';

/** As many as a key may have. */
const MOST = 100;

/** Activities to choose from by ticking them. */
export function ActivityChoice({
  chosen,
  onChange,
}: {
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
}) {
  const { data } = useQuery(queryOf(listActivities));
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
      <legend>Activities{chosen.size > 0 && ` (${chosen.size} chosen)`}</legend>
      <InputGroup
        aria-label="Find activities"
        placeholder="Find activities"
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <div className="rs-choice-list">
        {activities.map(({ Id, Name, Schema }) => (
          <Checkbox
            key={Id}
            checked={chosen.has(Id)}
            disabled={!chosen.has(Id) && chosen.size >= MOST}
            label={`${Schema}/${Name}`}
            onChange={() => toggle(Id)}
          />
        ))}
        {data && activities.length === 0 && <p>No results to display</p>}
      </div>
    </fieldset>
  );
}
