/** An uploaded workbook, passed in the state of the navigation that follows the upload. */
export interface Uploaded {
  id: number;
  version: number;
  name: string;
}

export function readUploaded(state: unknown): Uploaded | null {
  if (typeof state !== 'object' || state === null || !('uploaded' in state)) return null;
  return state.uploaded as Uploaded;
}
