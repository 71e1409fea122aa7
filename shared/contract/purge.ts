/**
 * Purging: deletes runs, their files, and the files of old versions. Source: specification of activities, sections 3,
 * 5, 7 and 8.
 */
import { Type, type Static } from 'typebox';
import { closed, get, Id, needsOn, post, RunId } from './endpoint.ts';

export const PurgeScope = Type.Enum(['All', 'InputFiles', 'OutputFiles']);
export type PurgeScope = Static<typeof PurgeScope>;

/** An activity with runs that a purge would delete. */
const activity = { ActivityId: Id, ActivityName: Type.String(), SchemaName: Type.String() };
export const PurgeableActivity = closed(activity);
export type PurgeableActivity = Static<typeof PurgeableActivity>;

/** Storage used by the ended runs of an activity; sizes in bytes. */
export const RunDataSize = closed({
  ...activity,
  /** Files and values of inputs and outputs. */
  Total: Type.Integer(),
  InputFile: Type.Integer(),
  OutputFile: Type.Integer(),
});
export type RunDataSize = Static<typeof RunDataSize>;

/** A day such as '2026-11-14' in the server's time zone. Selects the runs queued before that day began. */
export const PurgeDate = Type.String({ format: 'date' });

export const purgeableActivities = get('/api/activities/purgeable/:date', {
  access: needsOn('sk.PurgeRuns'),
  summary: 'List the activities of rundatasize without the sizes, which take longer to compute',
  parts: { params: closed({ date: PurgeDate }), result: Type.Array(PurgeableActivity) },
});

export const runDataSize = get('/api/activities/rundatasize/:date', {
  access: needsOn('sk.PurgeRuns'),
  summary: 'Get the size of the ended runs that were queued before a day, by activity',
  parts: { params: closed({ date: PurgeDate }), result: Type.Array(RunDataSize) },
});

export const purgeRunData = post('/api/activities/purgeRunData/:date/:scope', {
  access: needsOn('sk.PurgeRuns'),
  summary: 'Delete ended runs of activities, or their files; returns how many. If it returns Most, there may be more',
  parts: {
    params: closed({ date: PurgeDate, scope: PurgeScope }),
    /** The call stops after deleting this many; the next call continues. */
    query: closed({ Most: Type.Optional(Type.Integer({ minimum: 1 })) }),
    body: Type.Array(Id, { maxItems: 10_000 }),
    result: Type.Integer(),
  },
});

export const purgeSingleRunData = post('/api/activities/purgeSingleRunData/:runId/:scope', {
  access: needsOn('sk.PurgeRuns'),
  summary: 'Delete a run, or its files; returns how many',
  parts: { params: closed({ runId: RunId, scope: PurgeScope }), result: Type.Integer() },
});

export const purgeVersionFiles = post('/api/activities/purgeversionfiles/:id/:version', {
  access: needsOn('sk.EditActivity'),
  summary: 'Delete the workbooks of a version and all earlier ones; returns how many',
  parts: { params: closed({ id: Id, version: Type.Integer({ minimum: 1 }) }), result: Type.Integer() },
});
