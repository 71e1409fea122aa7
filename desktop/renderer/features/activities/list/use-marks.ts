import { useQuery } from '@tanstack/react-query';
import { activityMarks, setFavourite, type ActivityMarks } from '#shared/contract/activity-marks.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { queryClient, queryOf } from '#renderer/api/queries.ts';
import { offerUndo } from '#renderer/ui/query/offer-undo.ts';
import { showError } from '#renderer/ui/toaster.tsx';
import { t } from '#renderer/language/translate.ts';
import type { ListRow } from './list-rows.ts';

const MARKS = queryOf(activityMarks);

export function useMarks(): ActivityMarks | undefined {
  return useMarksQuery().data;
}

export const useMarksQuery = () => useQuery({ ...MARKS, staleTime: 30_000 });

type FavouriteRow = Pick<ListRow, 'kind' | 'id' | 'isFavourite'>;

/** Updates the screen immediately, and reverts if the server refuses. */
export async function toggleFavourite({ kind, id, isFavourite }: FavouriteRow): Promise<void> {
  const Kind = kind === 'Activity' ? 'Activity' : 'Checklist';
  show(Kind, id, !isFavourite);
  try {
    await call(setFavourite, { body: { Kind, Id: id, IsFavourite: !isFavourite } });
    const restore = () => call(setFavourite, { body: { Kind, Id: id, IsFavourite: true } });
    if (isFavourite) offerUndo(t('Removed from the favourites'), restore, [activityMarks]);
  } catch (error) {
    show(Kind, id, isFavourite);
    showError(toFailure(error).message);
  }
}

function show(kind: 'Activity' | 'Checklist', id: number, isFavourite: boolean): void {
  const part = kind === 'Activity' ? 'Activities' : 'Checklists';
  queryClient.setQueryData<ActivityMarks>(MARKS.queryKey, (before) => {
    if (!before) return before;
    const others = before[part].Favourites.filter((other) => other !== id);
    return { ...before, [part]: { ...before[part], Favourites: isFavourite ? [...others, id] : others } };
  });
}
