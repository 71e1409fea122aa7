/** Why a run waits. */
import { Type, type Static } from 'typebox';
import { closed, get, RunIdParams, signedIn } from './endpoint.ts';

export const RunWaiting = closed({
  /** Sentences, the weightiest first; none once it does not wait any more. Others are counted and not named. */
  Reasons: Type.Array(Type.String()),
});
export type RunWaiting = Static<typeof RunWaiting>;

export const runWaiting = get('/api/activities/waiting/:id', {
  access: signedIn,
  summary: 'Why a run waits: what comes before it, limits, and servers that could carry it out',
  parts: { params: RunIdParams, result: RunWaiting },
});
