/** Why a run is waiting. */
import { Type, type Static } from 'typebox';
import { closed, get, RunIdParams, signedIn } from './endpoint.ts';

export const RunWaiting = closed({
  /**
   * Sentences, the most important first; empty once the run no longer waits. Other runs ahead of it are counted, not
   * named.
   */
  Reasons: Type.Array(Type.String()),
});
export type RunWaiting = Static<typeof RunWaiting>;

export const runWaiting = get('/api/activities/waiting/:id', {
  access: signedIn,
  summary: 'Explain why a run waits: runs ahead of it, limits, and servers that could execute it',
  parts: { params: RunIdParams, result: RunWaiting },
});
