/** Versions of activities: uploads and downloads of their workbooks. Source: specification of activities, sections 3 and 7. */
import { Type, type Static } from 'typebox';
import { RegionId } from './auth.ts';
import { editableFields, FileToken } from './activities.ts';
import {
  closed,
  EditedRevision,
  get,
  Id,
  IdParams,
  INTEGER_MAX,
  needsOn,
  nullable,
  post,
  Revision,
  RunId,
  signedIn,
  Timestamp,
} from './endpoint.ts';
import { WorkbookProblem } from './fidelity.ts';
import { FidelitySummary } from './fidelity-summary.ts';

/**
 * The text fields that accompany the file of an upload, each as JSON or plain text in multipart format. Id 0 creates an
 * activity; any other Id replaces the file.
 */
export const ActivityUpload = closed({
  Id: Type.Integer({ minimum: 0, maximum: INTEGER_MAX }),
  Schema: Type.String({ maxLength: 30 }),
  ...editableFields,
  ChangeDescription: Type.String({ maxLength: 1000 }),
  /** Functions that the engine lacks, that outputs depend on, and that the uploader accepts by name. */
  AcceptUnsupported: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 }),
  /**
   * Overrides the region of the workbook. If absent, the file determines it; if the file indicates none, the previous
   * version does.
   */
  Region: Type.Optional(RegionId),
  Revision: EditedRevision,
  /**
   * Instead of a file: the design to publish, with its marks written into its workbook. Publishing deletes the design.
   */
  DesignId: Type.Optional(Id),
});
export type ActivityUpload = Static<typeof ActivityUpload>;

/**
 * Chosen by the uploading page, which uses it to query the progress of the upload. If the response was lost, the page
 * repeats the upload with the same id: the same content is then published once.
 */
export const UploadId = Type.String({ minLength: 1, maxLength: 64 });
export const UploadQuery = closed({ UploadId: Type.Optional(UploadId) });

export const UploadFailure = closed({
  Message: Type.String(),
  Faults: Type.Optional(Type.Array(WorkbookProblem)),
  /** Functions that the upload may accept by name (AcceptUnsupported). */
  Unsupported: Type.Optional(Type.Array(Type.String())),
  /** The current Revision, if the activity was changed since it was opened. */
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
  /** Null if the version was created without a comparison of calculated values. */
  Fidelity: nullable(FidelitySummary),
});
export type VersionItem = Static<typeof VersionItem>;

export const createActivity = post('/api/activities/create', {
  // The service checks sk.CreateActivity for a new activity, sk.EditActivity for a new version.
  access: signedIn,
  summary: 'Upload a workbook as a new activity, or as a new version of an activity',
  transport: 'multipart',
  parts: { query: UploadQuery, result: closed({ Id, Version: Type.Integer() }) },
});

export const uploadsAhead = get('/api/activities/uploadsahead/:uploadId', {
  // Only for the caller's own uploads.
  access: signedIn,
  summary: 'Get how many uploads are ahead of the caller’s waiting upload',
  parts: {
    params: closed({ uploadId: UploadId }),
    /** 0 while the workbook is being checked; null if this server neither checks nor queues it. */
    result: closed({ Ahead: nullable(Type.Integer({ minimum: 0 })) }),
  },
});

export const downloadVersion = get('/api/activities/download/:id/:version', {
  access: needsOn('sk.EditActivity'),
  summary: 'Download the workbook of a version; returns a file id',
  parts: { params: closed({ id: Id, version: Type.Integer({ minimum: 1 }) }), result: FileToken },
});

export const allVersions = post('/api/activities/versions/all', {
  access: signedIn,
  summary: 'List the versions of all activities, newest first',
  parts: {
    body: closed({
      ApproxRows: Type.Integer({ minimum: 1, maximum: 200 }),
      /** Null, empty or absent: all schemas. */
      Schema: Type.Optional(nullable(Type.String({ maxLength: 30 }))),
      /** Absent means false. */
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
  summary: 'List the versions of an activity, newest first',
  parts: {
    params: IdParams,
    result: closed({ Name: Type.String(), LastRunId: nullable(RunId), Versions: Type.Array(VersionItem) }),
  },
});
