/**
 * What changes, told while it changes: a stream of server-sent events. Events are an offer: whoever does not get them asks instead
 * (POST /api/activities/status/{id}, GET /api/checklists/status/{kind}/{runId}, GET /api/activities/notifications, GET /api/activities/details/{id}), and nothing is told
 * that could not be asked for.
 */
import { Type, type Static } from 'typebox';
import { closed, get, Id, signedIn } from './endpoint.ts';
import { RunStatus } from './run-status.ts';
import { RunState } from './runs.ts';

/** Most runs, and most activities, that one stream tells of. */
export const LIVE_RUNS_MAX = 20;
/** A stream that has nothing to tell says so this often, in milliseconds; one that is silent much longer has been cut. */
export const LIVE_HEARTBEAT = 15_000;

/** Event `run`: first as the run is when the stream begins, then whenever it has changed; after its end no more. */
export const RunEvent = closed({ Id, State: RunState });
export type RunEvent = Static<typeof RunEvent>;

/** Event `chain`: something of a run of a checklist or workflow, or of its steps, is another than before; also when the stream begins. After its end no more. */
export const ChainEvent = closed({ Id, Status: RunStatus });
export type ChainEvent = Static<typeof ChainEvent>;

/** Event `version`: the newest version of an activity; first when the stream begins, then whenever one is published. */
export const VersionEvent = closed({ Id, Version: Type.Integer() });
export type VersionEvent = Static<typeof VersionEvent>;

/** Event `notifications`: there are others than before; also when the stream begins. */
export const NotificationsEvent = closed({ Count: Type.Integer() });
export type NotificationsEvent = Static<typeof NotificationsEvent>;

// Event `ended`, of {}: one of the person's own runs has ended. A workflow may end without one: programs ask once in a while, too.
export const liveEvents = get('/api/events', {
  access: signedIn,
  summary:
    'Server-sent events: `run` (Id, State) of the runs named, `chain` (Id, Status) of the runs of checklists, `version` (Id, Version) of activities, `notifications` (Count) of one’s own, `ended` when a run of one’s own has ended; ends with the session',
  transport: 'file',
  parts: {
    query: closed({
      /** Numbers of runs, with commas between. Of those the person may not see, or that are not there, nothing is told. */
      runs: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,19}$' })),
      /** The same of runs of checklists and workflows. */
      chains: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,19}$' })),
      /** The same of activities: which version of them is the newest. */
      activities: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,19}$' })),
    }),
  },
});
