/** A published activity or version, passed in the state of the navigation that follows. */
export interface Uploaded {
  id: number;
  version: number;
  name: string;
  /** False for a stored procedure, which has no formulas. */
  isWorkbook: boolean;
}

export function readUploaded(state: unknown): Uploaded | null {
  if (typeof state !== 'object' || state === null || !('uploaded' in state)) return null;
  return state.uploaded as Uploaded;
}
