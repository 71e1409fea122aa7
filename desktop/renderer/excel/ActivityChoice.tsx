import type { ActivityListItem } from '#shared/contract/activities.ts';
import { Labelled } from './parts.tsx';

/** The fields needed to choose an activity. */
export type Choosable = Pick<ActivityListItem, 'Id' | 'Name' | 'Schema'>;

interface ActivityChoiceProps {
  label: string;
  id: string;
  activities: readonly Choosable[];
  /** 0 if none is selected. */
  chosen: number;
  /** Text of the first entry: no activity, or a new one. */
  first: string;
  choose: (id: number) => void;
  disabled?: boolean;
}

/** A list of activities grouped by the names of their schemas. */
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
