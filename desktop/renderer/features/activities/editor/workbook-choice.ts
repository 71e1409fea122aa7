/** Which workbook the editor of an activity has open, and what happens to it when another one is chosen. */
import type { DesignStatus } from '#renderer/features/activities/designer/design-status.ts';
import type { DesignOpening } from '#renderer/features/activities/designer/use-open-design.ts';
import { withFile, type EditorFields } from './editor-fields.ts';

/** The fields that belong to the chosen workbook. */
export type ChosenWorkbook = Pick<EditorFields, 'designId' | 'file' | 'accepted' | 'region'>;

export const NO_WORKBOOK: ChosenWorkbook = { designId: null, ...withFile(null) };

/** A file, a bundled example by its name, or (null) the version in use. */
type Source = Parameters<DesignOpening['open']>[2];

export interface BeginOptions {
  /** Returns the id of the new design; null if the workbook was refused or the user cancelled. */
  open: (source: Source) => Promise<number | null>;
  write: (change: ChosenWorkbook) => void;
}

/**
 * Begins a design of another workbook. The previous one is closed first: if the new workbook is refused, the activity
 * must not be published with the previous one.
 */
export async function beginDesign(source: Source, { open, write }: BeginOptions): Promise<void> {
  const chosen = { ...NO_WORKBOOK, file: source instanceof File ? source : null };
  write(chosen);
  const designId = await open(source);
  write(designId === null ? NO_WORKBOOK : { ...chosen, designId });
}

/** Returns the open workbook if its design can be continued later and has marks; otherwise null. */
export function workbookToContinue(
  { designId, file, accepted, region }: ChosenWorkbook,
  status: DesignStatus | null,
): ChosenWorkbook | null {
  return designId !== null && status?.isMarked ? { designId, file, accepted, region } : null;
}
