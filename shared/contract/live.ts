/**
 * Live updates: a stream of server-sent events. Events are optional: clients that do not receive them poll instead
 * (POST /api/activities/status/{id}, GET /api/checklists/status/{kind}/{runId}, GET /api/activities/notifications, GET
 * /api/activities/details/{id}). The stream reveals nothing that these calls would not.
 */
import { Type, type Static } from 'typebox';
import { closed, get, Id, signedIn } from './endpoint.ts';
import { RunStatus } from './run-status.ts';
import { RunState } from './runs.ts';

/** Maximum number of runs, and of activities, per stream. */
export const LIVE_RUNS_MAX = 20;
/**
 * Interval in milliseconds at which an idle stream sends a heartbeat. A stream that stays silent much longer has been
 * cut.
 */
export const LIVE_HEARTBEAT = 15_000;

/** Event `run`: sent when the stream opens and after each change of the run, up to and including its end. */
export const RunEvent = closed({ Id, State: RunState });
export type RunEvent = Static<typeof RunEvent>;

/**
 * Event `chain`: sent when the stream opens and after each change of a checklist or workflow run or its steps, up to
 * and including its end.
 */
export const WorkflowRunEvent = closed({ Id, Status: RunStatus });
export type WorkflowRunEvent = Static<typeof WorkflowRunEvent>;

/**
 * Event `version`: the newest version of an activity, sent when the stream opens and whenever a version is published.
 */
export const VersionEvent = closed({ Id, Version: Type.Integer() });
export type VersionEvent = Static<typeof VersionEvent>;

/** Event `notifications`: sent when the stream opens and whenever the notifications change. */
export const NotificationsEvent = closed({ Count: Type.Integer() });
export type NotificationsEvent = Static<typeof NotificationsEvent>;

// Event `runs` ({}): something has changed in runs that the user may see; only if `all` was requested. It says nothing
// about them: pages fetch their lists again. At most one per second.
// Event `ended` ({}): one of the user's own runs has ended. A workflow may end without this event, so clients also poll
// from time to time.
export const liveEvents = get('/api/events', {
  access: signedIn,
  summary:
    'Stream server-sent events: `run` (Id, State) for the named runs, `chain` (Id, Status) for runs of checklists, `version` (Id, Version) for activities, `notifications` (Count) for the user, `runs` when a run that the user may see has changed, `ended` when one of the user’s runs has ended; closes with the session',
  transport: 'file',
  parts: {
    query: closed({
      /** Run ids, separated by commas. Runs that do not exist or that the user may not see get no events. */
      runs: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,19}$' })),
      /** The same for runs of checklists and workflows. */
      chains: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,19}$' })),
      /** True to receive `runs` events. */
      all: Type.Optional(Type.Boolean()),
      /** Activity ids in the same format, to receive `version` events. */
      activities: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,19}$' })),
    }),
  },
});
