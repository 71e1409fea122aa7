/**
 * What the list of activities shows beside the activities: the user's favourites, what the user ran and created, and
 * the next scheduled times.
 */
import { Type, type Static } from 'typebox';
import { closed, get, Id, post, signedIn, Timestamp } from './endpoint.ts';

/** Maximum length of Recent. */
export const RECENT_MAX = 20;

const Marks = closed({
  Favourites: Type.Array(Id),
  /** What the user ran most recently, newest run first; at most RECENT_MAX. */
  Recent: Type.Array(Id),
  /** What the user created: any version of an activity, or the checklist itself. */
  Own: Type.Array(Id),
  /**
   * The next scheduled times. For activities, only users who may edit them or see the runs of others get these; for
   * checklists, only users who may edit them.
   */
  NextTimes: Type.Array(closed({ Id, NextTime: Timestamp })),
});
export type Marks = Static<typeof Marks>;

export const ActivityMarks = closed({ Activities: Marks, Checklists: Marks });
export type ActivityMarks = Static<typeof ActivityMarks>;

export const activityMarks = get('/api/activities/marks', {
  access: signedIn,
  summary:
    'List the user’s favourites, the activities that the user ran and published, and the next runs of activities and checklists',
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
  summary: 'Add an activity or checklist to the user’s favourites, or remove it',
  parts: { body: FavouriteChange, result: Type.Null() },
});
