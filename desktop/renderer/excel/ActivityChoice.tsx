import type { ActivityListItem } from '#shared/contract/activities.ts';
import { Labelled } from './parts.tsx';

/** What is said of an activity to choose it. */
export type Choosable = Pick<ActivityListItem, 'Id' | 'Name' | 'Schema'>;

interface ActivityChoiceProps {
  label: string;
  id: string;
  activities: readonly Choosable[];
  /** 0 where none is chosen. */
  chosen: number;
  /** Of the first entry: none, or a new one. */
  first: string;
  choose: (id: number) => void;
  disabled?: boolean;
}

/** Activities below the names of their schemas. */
export function ActivityChoice({ label, id, activities, chosen, first, choose, disabled }: ActivityChoiceProps) {
  const schemas = [...new Set(activities.map(({ Schema }) => Schema))];
  return (
    <Labelled label={label} id={id}>
      <select id={id} value={chosen} disabled={disabled} onChange={(event) => choose(Number(event.target.value))}>
        <option value={0}>{first}</option>
        {schemas.map((schema) => (
          <optgroup key={schema} label={schema}>
            {activities
              .filter(({ Schema }) => Schema === schema)
              .map(({ Id, Name }) => (
                <option key={Id} value={Id}>
                  {Name}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </Labelled>
  );
}
