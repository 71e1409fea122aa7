import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listActivities, type ActivityListItem } from '#shared/contract/activities.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { showError } from '#renderer/ui/toaster.tsx';

/** Queries the activities list. If a refresh fails, the previous list stays and an error message is shown. */
export function useActivities() {
  const query = useQuery(queryOf(listActivities));
  const { error, data } = query;
  useEffect(() => {
    if (error && data) showError(t('Failed to update activities list'));
  }, [error, data]);
  return query;
}

export const useActivityItemQuery = (id: number) =>
  useQuery({
    ...queryOf(listActivities),
    staleTime: 60_000,
    select: ({ Activities }): ActivityListItem | null => Activities.find((activity) => activity.Id === id) ?? null,
  });

/** Returns an activity as in the list: what the user may do with it, and its last run. */
export const useActivityItem = (id: number): ActivityListItem | undefined => useActivityItemQuery(id).data ?? undefined;

/** Call this after changes that the list shows: runs started, activities saved. */
export function refreshActivities(): void {
  void queryClient.invalidateQueries({ queryKey: keyOf(listActivities) });
}
