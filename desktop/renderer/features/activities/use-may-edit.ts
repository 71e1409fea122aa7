import { useActivities } from './use-activities.ts';

/** Whether there is an activity or a checklist that the person may edit: others are not told to. */
export function useMayEditAny(): boolean {
  const { data } = useActivities();
  return data !== undefined && [...data.Activities, ...data.Checklists].some(({ CanEdit }) => CanEdit);
}
