/** Files that a page of the desktop client sends, by way of main. */
import { Type, type Static } from 'typebox';

const closed = <P extends Record<string, Type.TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

export const UploadId = Type.String({ pattern: '^[0-9a-f-]{36}$' });

export const Upload = closed({
  Id: UploadId,
  /** Of the call, below the host of the page and with the key of the page (page-key.ts). */
  Path: Type.String({ pattern: '^/api/', maxLength: 2000 }),
  /** As its header; '' where nobody is signed in. */
  Authorization: Type.String({ maxLength: 4000 }),
  /** Of the multipart form, with its boundary. */
  ContentType: Type.String({ pattern: '^multipart/form-data; *boundary=', maxLength: 200 }),
  /** The whole form. */
  Body: Type.Refine(Type.Unsafe<Uint8Array>({}), (body) => body instanceof Uint8Array),
});
export type Upload = Static<typeof Upload>;

/** What the server answered. Headers are those of READ_BY_PAGES. */
export const UploadAnswer = closed({
  Status: Type.Integer(),
  Text: Type.String(),
  Headers: Type.Record(Type.String(), Type.String()),
});
export type UploadAnswer = Static<typeof UploadAnswer>;

/** Bytes of an upload that have left this computer. */
export interface UploadProgress {
  Id: string;
  Sent: number;
  Total: number;
}

/**
 * Sends forms with files. Not every version of Electron gives its program the files of a page's request, and the handler of a scheme does not
 * learn that a page has cancelled one. So pages of the desktop client pass each form as a message, and cancel it by another.
 */
export interface UploadDoor {
  /** Null where no answer came: the server was not reached, or the upload was cancelled. */
  send(upload: Upload, onProgress: (progress: UploadProgress) => void): Promise<UploadAnswer | null>;
  cancel(id: string): void;
}
