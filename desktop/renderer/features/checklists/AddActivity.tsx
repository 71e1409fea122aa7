import { InputGroup, Spinner } from '@blueprintjs/core';
import { Add, Search } from '@blueprintjs/icons';
import { useEffect, useId, useMemo, useState, type KeyboardEvent } from 'react';
import { activityDetails, type Activity, type ActivityListItem } from '#shared/contract/activities.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { queryClient, queryOf } from '#renderer/api/queries.ts';
import { rankByWords } from '#renderer/app/palette/palette-match.ts';
import { useActivities } from '#renderer/features/activities/use-activities.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import { rowWithId, useSteadyPress } from '#renderer/ui/use-steady-press.ts';
import type { DraftActivity } from './checklist-draft.ts';

interface AddActivityProps {
  label?: string;
  id?: string;
  /** True to focus the field and to list the activities all the time. */
  staysOpen?: boolean;
  /** Activities that are no longer offered. */
  chosen: readonly Pick<DraftActivity, 'Id'>[];
  onAdd: (activity: DraftActivity, details: Activity) => void;
}

export const ADD_ACTIVITY_FIELD = 'checklist-Activities';
const SHOWN = 50;

/** Searches an activity by parts of its name, group or schema, and adds it. */
export function AddActivity(props: AddActivityProps) {
  const { label = t('Add activity'), id = ADD_ACTIVITY_FIELD, staysOpen = false, chosen, onAdd } = props;
  const activities = useActivities();
  const list = activities.data?.Activities;
  const { adding, add } = useAdding(onAdd);
  const [search, setSearch] = useState<string | null>(staysOpen ? '' : null);
  const [active, setActive] = useState(0);
  const listId = useId();
  const found = useMemo(() => {
    if (search === null) return [];
    const taken = new Set(chosen.map(({ Id }) => Id));
    const offered = (list ?? []).filter(({ Id, CanRun }) => CanRun && !taken.has(Id));
    return rankByWords(search, offered, textOf).slice(0, SHOWN);
  }, [list, chosen, search]);
  const isOpen = search !== null && list !== undefined;
  const activeId = isOpen && found[active] ? `${listId}-${active}` : undefined;
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const open = (text: string): void => {
    setSearch(text);
    setActive(0);
  };
  const pick = (activity: ActivityListItem): void => {
    // In a dialog that asks for one activity, a double click must not add two.
    if (staysOpen && adding > 0) return;
    open('');
    void add(activity);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      if (isOpen) setActive(Math.max(0, Math.min(found.length - 1, active + step)));
      else open('');
    } else if (event.key === 'Escape' && isOpen) setSearch(null);
    else if (event.key === 'Enter' && found[active]) pick(found[active]);
    // Enter in the search field never submits the form.
    else if (event.key !== 'Enter') return;
    event.preventDefault();
  };
  return (
    <FormField label={label} id={id}>
      {(field) => (
        <div
          className="rs-add-activity"
          onBlur={(event) => !staysOpen && !event.currentTarget.contains(event.relatedTarget) && setSearch(null)}
        >
          <InputGroup
            id={field.id}
            role="combobox"
            autoFocus={staysOpen}
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={activeId}
            autoComplete="off"
            placeholder={t('Search')}
            leftIcon={<Search />}
            rightElement={adding > 0 ? <Spinner size={16} className="rs-add-activity-busy" /> : undefined}
            value={search ?? ''}
            onValueChange={open}
            onClick={() => open(search ?? '')}
            onKeyDown={onKeyDown}
          />
          <FetchFailure query={activities} text={t('The activities could not be loaded.')} />
          {isOpen && <FoundActivities id={listId} found={found} active={active} onPick={pick} />}
        </div>
      )}
    </FormField>
  );
}

interface FoundActivitiesProps {
  id: string;
  found: readonly ActivityListItem[];
  active: number;
  onPick: (activity: ActivityListItem) => void;
}

/** List of search results. The focus stays in the search field, whose keys control the list. */
function FoundActivities({ id, found, active, onPick }: FoundActivitiesProps) {
  const press = useSteadyPress((element) => rowWithId(found, (index) => `${id}-${index}`, element), onPick);
  return (
    <ul id={id} role="listbox" aria-label={t('Activities to add')} {...press}>
      {found.map((activity, index) => (
        <li
          key={activity.Id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          title={activity.Description}
        >
          <Add size={14} title={false} />
          <span>{activity.Name}</span>
          <span className="rs-muted">{schemaAndGroupText(activity)}</span>
        </li>
      ))}
      {found.length === 0 && (
        <li role="option" aria-selected={false} aria-disabled className="rs-muted">
          {t('Nothing found')}
        </li>
      )}
    </ul>
  );
}

const schemaAndGroupText = ({ Schema, Group }: ActivityListItem): string =>
  Group === '' ? Schema : `${Schema} · ${Group}`;

/** Fetches the details of the activity and passes on both. */
function useAdding(onAdd: AddActivityProps['onAdd']) {
  const [adding, setAdding] = useState(0);
  const add = async ({ Id, Name, Schema }: ActivityListItem): Promise<void> => {
    setAdding((count) => count + 1);
    try {
      const details = await queryClient.fetchQuery(queryOf(activityDetails, { params: { id: Id } }));
      onAdd({ Id, Name, Schema, CanRun: details.CanRun, IsActive: details.IsActive }, details);
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      setAdding((count) => count - 1);
    }
  };
  return { adding, add };
}

const textOf = ({ Name, Group, Schema }: ActivityListItem): string => `${Name} ${Group} ${Schema}`;
