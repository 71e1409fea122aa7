/** What the list of activities shows beside the activities themselves: a person's favourites, what they ran and made, and when what runs next. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, post, signedIn, Timestamp } from './endpoint.ts';

/** So many of those that a person ran last. */
export const RECENT_MAX = 20;

const Marks = closed({
  Favourites: Type.Array(Id),
  /** Those the person ran last, the newest run first; at most RECENT_MAX. */
  Recent: Type.Array(Id),
  /** Those the person made: of an activity any version, of a checklist the checklist itself. */
  Own: Type.Array(Id),
  /** When those run next that run by themselves: of activities told to whoever may edit them or see the runs of others, of checklists to whoever may edit them. */
  NextTimes: Type.Array(closed({ Id, NextTime: Timestamp })),
});
export type Marks = Static<typeof Marks>;

export const ActivityMarks = closed({ Activities: Marks, Checklists: Marks });
export type ActivityMarks = Static<typeof ActivityMarks>;

export const activityMarks = get('/api/activities/marks', {
  access: signedIn,
  summary: 'Favourites of the person, what they ran and made, and when activities and checklists run next',
  parts: { result: ActivityMarks },
});

export const FavouriteChange = closed({
  Kind: Type.Enum(['Activity', 'Checklist'] as const),
  Id,
  IsFavourite: Type.Boolean(),
});
export type FavouriteChange = Static<typeof FavouriteChange>;

export const setFavourite = post('/api/activities/favourite', {
  access: signedIn,
  summary: 'Keep an activity or checklist that one sees among the favourites, or no longer',
  parts: { body: FavouriteChange, result: Type.Null() },
});
