import { Button } from '@blueprintjs/core';
import { Star, StarEmpty } from '@blueprintjs/icons';
import { toggleFavourite, useMarks } from '#renderer/features/activities/list/use-marks.ts';
import { t } from '#renderer/language/translate.ts';
import type { ShownObject } from './use-shown-object.ts';

/** Puts the object among the favourites of the list, or takes it out. */
export function FavouriteButton({ object: { kind, id, name } }: { object: ShownObject }) {
  const marks = useMarks();
  const ids = (kind === 'activity' ? marks?.Activities : marks?.Checklists)?.Favourites;
  const isFavourite = ids?.includes(id) === true;
  const listed = kind === 'activity' ? ('Activity' as const) : ('Checklist' as const);
  return (
    <Button
      variant="minimal"
      size="small"
      icon={isFavourite ? <Star title={false} /> : <StarEmpty title={false} />}
      aria-label={t('Favourite: {name}', { name })}
      aria-pressed={isFavourite}
      disabled={ids === undefined}
      onClick={() => void toggleFavourite({ kind: listed, id, isFavourite })}
    />
  );
}
