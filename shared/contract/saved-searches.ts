/** Searches of a run history that users save under a name. */
import { Type, type Static } from 'typebox';
import { closed, Id, IdParams, nullable, post, signedIn } from './endpoint.ts';

export const SavedSearch = closed({
  Id,
  Name: Type.String(),
  /** The query string of the page's address, without the question mark. */
  Search: Type.String(),
});
export type SavedSearch = Static<typeof SavedSearch>;

/** Maximum number per user and history. */
export const SAVED_SEARCHES_MAX = 50;

const History = {
  /** Null: the history of all activities. */
  ActivityId: nullable(Id),
};

export const listSavedSearches = post('/api/activities/runhistory/searches', {
  access: signedIn,
  summary: 'List the user’s saved searches of a history, by name',
  parts: { body: closed(History), result: Type.Array(SavedSearch) },
});

export const saveSearch = post('/api/activities/runhistory/savesearch', {
  access: signedIn,
  summary: 'Save a search of a history under a name; replaces the search with that name',
  parts: {
    body: closed({
      ...History,
      Name: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
      Search: Type.String({ maxLength: 4000, pattern: "^[A-Za-z0-9%&=+._~*!'():,;@/?$-]*$" }),
    }),
    result: closed({ Id }),
  },
});

export const deleteSearch = post('/api/activities/runhistory/deletesearch/:id', {
  access: signedIn,
  summary: 'Delete one of the user’s saved searches',
  parts: { params: IdParams, result: Type.Null() },
});
