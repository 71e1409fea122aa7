/** Links: outputs of a run become inputs of another activity. Source: specification of activities, sections 2, 3, 5 and 7. */
import { Type, type Static } from 'typebox';
import { Activity, ActivityLink } from './activities.ts';
import { closed, closedBut, EditedRevision, get, Id, needsOn, nullable, post, Revision, RunId } from './endpoint.ts';
import { RunInputValue } from './parameters.ts';
import { AcceptOutdatedVersion, StartConflict } from './runs.ts';

/** One element of the list that the JSON text in LinkInfo contains. */
export const LinkMapping = closed({
  /** Id of an output of the activity. */
  source: Id,
  /** Id of an input of the linked activity. */
  target: Id,
  /** One element per cell usage of the input: true if the value taken from the run must not be changed. */
  ReadOnly: Type.Array(Type.Boolean(), { maxItems: 16_384 }),
});
export type LinkMapping = Static<typeof LinkMapping>;

const LinkInfo = Type.String({ maxLength: 1_000_000 });
/** Allows longer names than a link may have: the service refuses them with a readable message. */
const LinkName = Type.String({ maxLength: 1000 });

export const WriteLinkBody = closedBut(Object.keys(ActivityLink.properties), {
  /** 0 creates a new link. */
  Id: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  ActivityId: Id,
  LinkedActivityId: Id,
  LinkInfo,
  Name: LinkName,
  Revision: EditedRevision,
});
export type WriteLinkBody = Static<typeof WriteLinkBody>;

export const DeleteLinkBody = closedBut([...Object.keys(ActivityLink.properties), 'Revision'], {
  Id,
  ActivityId: Id,
  LinkedActivityId: Id,
  LinkInfo,
  LinkedActivityName: Type.String({ maxLength: 1000 }),
  Name: LinkName,
});
export type DeleteLinkBody = Static<typeof DeleteLinkBody>;

export const EditedLink = closed({ ...ActivityLink.properties, Revision });
export type EditedLink = Static<typeof EditedLink>;

const LinkParams = closed({ linkId: Id });

export const writeLink = post('/api/activities/writelink', {
  access: needsOn('sk.EditActivity'),
  summary: 'Create or update a link from an activity to another',
  parts: { body: WriteLinkBody, result: closed({ Id }) },
});

export const deleteLink = post('/api/activities/deletelink', {
  access: needsOn('sk.EditActivity'),
  summary: 'Delete a link; the runs that it started remain',
  parts: { body: DeleteLinkBody, result: Type.Null() },
});

export const linkDetails = get('/api/activities/linkdetails/:linkId', {
  access: needsOn('sk.EditActivity'),
  summary: 'Get a link for editing',
  parts: { params: LinkParams, result: EditedLink },
});

export const LinkedActivity = closed({
  Link: ActivityLink,
  /** ReadOnly of its inputs marks values of the link that must not be changed. */
  Activity,
});
export type LinkedActivity = Static<typeof LinkedActivity>;

export const linkedActivityDetails = get('/api/activities/linkedActivityDetails/:linkId', {
  access: needsOn('sk.RunActivity'),
  summary: 'Get the target activity of a link, as it is run from an ended run',
  parts: { params: LinkParams, result: LinkedActivity },
});

/** Selects the rows of a table output that the linked run receives. */
export const OutputTransform = closed({
  /** Id of the output. If absent, the transform applies to the link's table output at the same index. */
  ActivityParameterId: Type.Optional(nullable(Id)),
  /** Row indexes from 0, in the order in which they are passed on; null for all rows. */
  FilteredRowIndices: nullable(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 1_048_576 })),
});
export type OutputTransform = Static<typeof OutputTransform>;

export const StartLinkBody = closed({
  ActivityLinkId: Id,
  /** The ended run whose outputs are used. */
  ActivityRunId: RunId,
  /** Idempotency key: two starts with the same UniqueId produce one run. */
  UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  OutputTransforms: Type.Optional(nullable(Type.Array(OutputTransform, { maxItems: 1000 }))),
  /** Version of the linked activity for which the form was filled in; the newest if absent. */
  ActivityVersion: Type.Optional(nullable(Type.Integer({ minimum: 1 }))),
  AcceptOutdatedVersion,
  /** Values that the user entered. Inputs that the link fills and that are missing here use the outputs of the run. */
  Inputs: Type.Optional(nullable(Type.Array(RunInputValue, { maxItems: 10_000 }))),
});
export type StartLinkBody = Static<typeof StartLinkBody>;

export const startLink = post('/api/activities/startlink', {
  access: needsOn('sk.RunActivity'),
  summary: 'Start the target activity of a link with outputs of an ended run',
  parts: { body: StartLinkBody, result: closed({ Id: RunId }), conflict: StartConflict },
});
