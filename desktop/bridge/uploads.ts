/** File uploads from a page of the desktop client, sent through the main process. */
import { Type, type Static } from 'typebox';

const closed = <P extends Record<string, Type.TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

export const UploadId = Type.String({ pattern: '^[0-9a-f-]{36}$' });

export const Upload = closed({
  Id: UploadId,
  /** Path of the call on the page's host, including the page key (page-key.ts). */
  Path: Type.String({ pattern: '^/api/', maxLength: 2000 }),
  /** Value of the Authorization header; '' if nobody is signed in. */
  Authorization: Type.String({ maxLength: 4000 }),
  /** Content type of the multipart form, with its boundary. */
  ContentType: Type.String({ pattern: '^multipart/form-data; *boundary=', maxLength: 200 }),
  /** The whole form. */
  Body: Type.Refine(Type.Unsafe<Uint8Array>({}), (body) => body instanceof Uint8Array),
});
export type Upload = Static<typeof Upload>;

/** The server's response. Headers are limited to READ_BY_PAGES. */
export const UploadAnswer = closed({
  Status: Type.Integer(),
  Text: Type.String(),
  Headers: Type.Record(Type.String(), Type.String()),
});
export type UploadAnswer = Static<typeof UploadAnswer>;

/** Number of bytes of an upload that have been sent. */
export interface UploadProgress {
  Id: string;
  Sent: number;
  Total: number;
}

/**
 * Sends forms with files. Some versions of Electron do not pass the files of a page's request to the program, and a
 * protocol handler is not notified if a page cancels a request. Pages of the desktop client therefore pass each form as
 * a message, and cancel it with another message.
 */
export interface UploadDoor {
  /** Returns null if no response arrived: the server was unreachable, or the upload was cancelled. */
  send(upload: Upload, onProgress: (progress: UploadProgress) => void): Promise<UploadAnswer | null>;
  cancel(id: string): void;
}
