/** Links: outputs of a run become inputs of another activity. Source: specification of activities, sections 2, 3, 5 and 7. */
import { Type, type Static } from 'typebox';
import { Activity, ActivityLink } from './activities.ts';
import { closed, closedBut, get, Id, needsOn, nullable, post, RunId } from './endpoint.ts';
import { RunInputValue } from './parameters.ts';
import { AcceptOutdatedVersion, StartConflict } from './runs.ts';

/** One element of the list that the JSON text in the field LinkInfo holds. */
export const LinkMapping = closed({
  /** Id of an output of the activity. */
  source: Id,
  /** Id of an input of the linked activity. */
  target: Id,
  /** By cell usage of the input: true where nobody may change what the run gave. */
  ReadOnly: Type.Array(Type.Boolean(), { maxItems: 16_384 }),
});
export type LinkMapping = Static<typeof LinkMapping>;

const LinkInfo = Type.String({ maxLength: 1_000_000 });
/** Longer ones than a link may have are refused by the service, in words. */
const LinkName = Type.String({ maxLength: 1000 });

export const WriteLinkBody = closedBut(Object.keys(ActivityLink.properties), {
  /** 0 makes a new one. */
  Id: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  ActivityId: Id,
  LinkedActivityId: Id,
  LinkInfo,
  Name: LinkName,
});
export type WriteLinkBody = Static<typeof WriteLinkBody>;

export const DeleteLinkBody = closedBut(Object.keys(ActivityLink.properties), {
  Id,
  ActivityId: Id,
  LinkedActivityId: Id,
  LinkInfo,
  LinkedActivityName: Type.String({ maxLength: 1000 }),
  Name: LinkName,
});
export type DeleteLinkBody = Static<typeof DeleteLinkBody>;

const LinkParams = closed({ linkId: Id });

export const writeLink = post('/api/activities/writelink', {
  access: needsOn('sk.EditActivity'),
  summary: 'Make a link from an activity to another, or change it',
  parts: { body: WriteLinkBody, result: closed({ Id }) },
});

export const deleteLink = post('/api/activities/deletelink', {
  access: needsOn('sk.EditActivity'),
  summary: 'Delete a link; the runs it started stay',
  parts: { body: DeleteLinkBody, result: Type.Null() },
});

export const linkDetails = get('/api/activities/linkdetails/:linkId', {
  access: needsOn('sk.EditActivity'),
  summary: 'A link, to be edited',
  parts: { params: LinkParams, result: ActivityLink },
});

export const LinkedActivity = closed({
  Link: ActivityLink,
  /** Its inputs say in ReadOnly what the link lets nobody change. */
  Activity,
});
export type LinkedActivity = Static<typeof LinkedActivity>;

export const linkedActivityDetails = get('/api/activities/linkedActivityDetails/:linkId', {
  access: needsOn('sk.RunActivity'),
  summary: 'The activity a link leads to, as it is run from a finished run',
  parts: { params: LinkParams, result: LinkedActivity },
});

/** Rows of a table output that go into the linked run. */
export const OutputTransform = closed({
  /** Of the output. Without it the transform is that of the link's table outputs which stands at the same place. */
  ActivityParameterId: Type.Optional(nullable(Id)),
  /** Rows from 0, in the order in which they go; null for all. */
  FilteredRowIndices: nullable(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 1_048_576 })),
});
export type OutputTransform = Static<typeof OutputTransform>;

export const StartLinkBody = closed({
  ActivityLinkId: Id,
  /** The finished run whose outputs are taken. */
  ActivityRunId: RunId,
  /** Names what is started: the same twice is one run. */
  UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  OutputTransforms: Type.Optional(nullable(Type.Array(OutputTransform, { maxItems: 1000 }))),
  /** The version of the linked activity that a form was filled in for; the newest where absent. */
  ActivityVersion: Type.Optional(nullable(Type.Integer({ minimum: 1 }))),
  AcceptOutdatedVersion,
  /** What a person filled in. Inputs that the link fills and that are not here take what the run gave. */
  Inputs: Type.Optional(nullable(Type.Array(RunInputValue, { maxItems: 10_000 }))),
});
export type StartLinkBody = Static<typeof StartLinkBody>;

export const startLink = post('/api/activities/startlink', {
  access: needsOn('sk.RunActivity'),
  summary: 'Start the activity a link leads to, with outputs of a finished run',
  parts: { body: StartLinkBody, result: closed({ Id: RunId }), conflict: StartConflict },
});
