import { createUniqueId } from '#renderer/api/unique-id.ts';
import type { EditorFields } from './editor-fields.ts';

/** Ids of uploads. The server publishes an upload with the same id and content once. */
export interface UploadIds {
  /** Returns the id of the upload to send: that of the last one if its outcome is unknown and it had the same content. */
  idOf: (fields: EditorFields) => string;
  /** @param status HTTP status of the response; 0 if none arrived, or the user cancelled */
  onAnswer: (status: number) => void;
}

export function createUploadIds(): UploadIds {
  let open: { fields: EditorFields; id: string } | null = null;
  return {
    idOf: (fields) => {
      if (open === null || !isSame(open.fields, fields)) open = { fields, id: createUniqueId() };
      return open.id;
    },
    onAnswer: (status) => {
      if (isDecided(status)) open = null;
    },
  };
}

/** Returns whether a response says what became of the upload. The end of the session, for example, says nothing. */
const isDecided = (status: number): boolean => status === 200 || [400, 404, 409, 413, 422].includes(status);

const isSame = ({ file, ...before }: EditorFields, { file: next, ...now }: EditorFields): boolean =>
  file === next && JSON.stringify(before) === JSON.stringify(now);
