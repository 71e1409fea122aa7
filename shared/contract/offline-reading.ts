/** How long desktop clients may show stored data while the server is unreachable. */
import { Type, type Static } from 'typebox';
import { closed, get, post, signedIn, userAdmin } from './endpoint.ts';

export const OFFLINE_DAYS_MAX = 90;
/** Used if no administrator has set a value. */
export const OFFLINE_DAYS_DEFAULT = 7;

export const OfflineReading = closed({
  /** Days since the server was last reached; 0 disables offline reading, and nothing is stored. */
  Days: Type.Integer({ minimum: 0, maximum: OFFLINE_DAYS_MAX }),
});
export type OfflineReading = Static<typeof OfflineReading>;

export const offlineReading = get('/api/offlinereading', {
  access: signedIn,
  summary: 'Get for how many days the desktop client may show stored content without the server',
  parts: { result: OfflineReading },
});

export const setOfflineReading = post('/api/admin/offlinereading', {
  access: userAdmin,
  summary: 'Set for how many days the desktop client may show stored content',
  parts: { body: OfflineReading, result: OfflineReading },
});
