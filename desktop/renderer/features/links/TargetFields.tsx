import { InputGroup } from '@blueprintjs/core';
import { useId } from 'react';
import type { ActivityListItem } from '#shared/contract/activities.ts';
import { useActivities } from '#renderer/features/activities/use-activities.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { useSuggestionKeys } from '#renderer/ui/use-suggestion-keys.ts';

/** As typed. */
export interface Target {
  schema: string;
  activity: string;
}

interface TargetFieldsProps {
  target: Target;
  /** Called with the id of the activity once the typed names identify one; else null. */
  onChange: (target: Target, activityId: number | null) => void;
}

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Fields for the target activity: its schema and name. */
export function TargetFields({ target, onChange }: TargetFieldsProps) {
  const query = useActivities();
  const activities = query.data?.Activities.filter(({ CanRun }) => CanRun) ?? [];
  const schemas = [...new Set(activities.map(({ Schema }) => Schema))];
  const offered = activities.filter(({ Schema }) => isSame(Schema, target.schema));
  const write = (next: Target): void => onChange(next, idOf(activities, next));
  return (
    <>
      <FetchFailure query={query} text={t('The activities could not be loaded.')} />
      <Suggested
        label={t('Target Schema')}
        value={target.schema}
        suggestions={schemas}
        error={t('There is no such schema')}
        onChange={(schema) => write({ schema, activity: target.activity })}
      />
      <Suggested
        label={t('Target Activity')}
        value={target.activity}
        suggestions={offered.map(({ Name }) => Name)}
        error={t('There is no such activity in the schema')}
        onChange={(activity) => write({ schema: target.schema, activity })}
      />
    </>
  );
}

const idOf = (activities: readonly ActivityListItem[], { schema, activity }: Target): number | null =>
  activities.find(({ Schema, Name }) => isSame(Schema, schema) && isSame(Name, activity))?.Id ?? null;

interface SuggestedProps {
  label: string;
  value: string;
  suggestions: readonly string[];
  /** Shown if the typed text cannot become one of the suggestions. */
  error: string;
  onChange: (value: string) => void;
}

function Suggested({ label, value, suggestions, error, onChange }: SuggestedProps) {
  const listId = useId();
  const keys = useSuggestionKeys(value, suggestions, onChange);
  const typed = value.trim().toLowerCase();
  const isPossible = suggestions.some((one) => one.toLowerCase().startsWith(typed));
  return (
    <FormField label={label} required error={typed !== '' && !isPossible ? error : null}>
      {(field) => (
        <>
          <InputGroup {...field} {...keys} value={value} list={listId} autoComplete="off" onValueChange={onChange} />
          <datalist id={listId}>
            {suggestions.map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        </>
      )}
    </FormField>
  );
}
