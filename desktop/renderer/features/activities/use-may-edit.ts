import { useActivities } from './use-activities.ts';

/** Returns true if the user may edit any activity or checklist. Other users are not prompted to edit. */
export function useMayEditAny(): boolean {
  const { data } = useActivities();
  return data !== undefined && [...data.Activities, ...data.Checklists].some(({ CanEdit }) => CanEdit);
}
