/** Versions of activities: uploads and downloads of their workbooks. Source: specification of activities, sections 3 and 7. */
import { Type, type Static } from 'typebox';
import { RegionId } from './auth.ts';
import { editableFields, EditedRevision, FileToken, Revision } from './activities.ts';
import {
  closed,
  get,
  Id,
  IdParams,
  INTEGER_MAX,
  needsOn,
  nullable,
  post,
  RunId,
  signedIn,
  Timestamp,
} from './endpoint.ts';
import { WorkbookFault } from './fidelity.ts';

/** The text fields beside the file of an upload, each JSON or plain text as multipart has it. Id 0 creates, any other Id replaces the file. */
export const ActivityUpload = closed({
  Id: Type.Integer({ minimum: 0, maximum: INTEGER_MAX }),
  Schema: Type.String({ maxLength: 30 }),
  ...editableFields,
  ChangeDescription: Type.String({ maxLength: 1000 }),
  /** Functions the engine lacks, on the way to an output, that the uploader accepts by name. */
  AcceptUnsupported: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 }),
  /** The region of the workbook, whatever its file tells. Where absent the file decides, and where that tells nothing the version before. */
  Region: Type.Optional(RegionId),
  Revision: EditedRevision,
  /** In place of a file: the design whose workbook, with its marks written into it, is published. It is deleted then. */
  DesignId: Type.Optional(Id),
});
export type ActivityUpload = Static<typeof ActivityUpload>;

/** Chosen by the page of an upload, which asks by it what the upload waits for. */
export const UploadId = Type.String({ minLength: 1, maxLength: 64 });
export const UploadQuery = closed({ UploadId: Type.Optional(UploadId) });

export const UploadFailure = closed({
  Message: Type.String(),
  Faults: Type.Optional(Type.Array(WorkbookFault)),
  /** Functions the upload may accept by name (AcceptUnsupported). */
  Unsupported: Type.Optional(Type.Array(Type.String())),
  /** The current one, where the activity was changed since it was opened. */
  Revision: Type.Optional(Revision),
});
export type UploadFailure = Static<typeof UploadFailure>;

export const VersionItem = closed({
  Id,
  Schema: Type.String(),
  Name: Type.String(),
  Version: Type.Integer(),
  Modified: Timestamp,
  UserFullName: Type.String(),
  ChangeDescription: Type.String(),
  ContentLength: Type.Integer(),
  /** Null where the version was made without a calculation to compare. */
  Fidelity: nullable(
    closed({
      /** The engine that calculates the version, in words; absent where the version is older than the choice. */
      Engine: Type.Optional(Type.String()),
      Formulas: Type.Integer(),
      Different: Type.Integer(),
      DifferentFeedingOutputs: Type.Integer(),
      /** Both absent where the version is older than their being counted. */
      NotCompared: Type.Optional(Type.Integer()),
      NotComparedFeedingOutputs: Type.Optional(Type.Integer()),
    }),
  ),
});
export type VersionItem = Static<typeof VersionItem>;

export const createActivity = post('/api/activities/create', {
  // sk.CreateActivity for a new one, sk.EditActivity for a new version: the service checks which.
  access: signedIn,
  summary: 'Upload a workbook: a new activity, or a new version of one',
  transport: 'multipart',
  parts: { query: UploadQuery, result: closed({ Id, Version: Type.Integer() }) },
});

export const uploadsAhead = get('/api/activities/uploadsahead/:uploadId', {
  // Of the caller's own uploads alone.
  access: signedIn,
  summary: 'How many uploads are checked before one of the caller that waits',
  parts: {
    params: closed({ uploadId: UploadId }),
    /** 0 while the workbook is checked; null where this server neither checks it nor lets it wait. */
    result: closed({ Ahead: nullable(Type.Integer({ minimum: 0 })) }),
  },
});

export const downloadVersion = get('/api/activities/download/:id/:version', {
  access: needsOn('sk.EditActivity'),
  summary: 'A file id for the workbook of a version',
  parts: { params: closed({ id: Id, version: Type.Integer({ minimum: 1 }) }), result: FileToken },
});

export const allVersions = post('/api/activities/versions/all', {
  access: signedIn,
  summary: 'Versions of all activities, newest first',
  parts: {
    body: closed({
      ApproxRows: Type.Integer({ minimum: 1, maximum: 200 }),
      /** Null, empty or absent: of all schemas. */
      Schema: Type.Optional(nullable(Type.String({ maxLength: 30 }))),
      /** Absent: no. */
      FetchSchemas: Type.Optional(Type.Boolean()),
      /** The Modified of the last row shown; null or absent for the first page. */
      ModifiedMin: Type.Optional(nullable(Timestamp)),
    }),
    result: closed({
      Schemas: Type.Array(Type.String()),
      ListItems: closed({ Items: Type.Array(VersionItem) }),
      HasMore: Type.Boolean(),
    }),
  },
});

export const activityVersions = get('/api/activities/versions/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'The versions of one activity, newest first',
  parts: {
    params: IdParams,
    result: closed({ Name: Type.String(), LastRunId: nullable(RunId), Versions: Type.Array(VersionItem) }),
  },
});
