/** Designs that were left while their last changes were being saved. */
const saving = new Map<number, Promise<unknown>>();

/** @param saved settles when the changes are saved or cannot be saved */
export function registerPendingSave(designId: number, saved: Promise<unknown>): void {
  const settled = saved
    .catch(() => undefined)
    .finally(() => {
      if (saving.get(designId) === settled) saving.delete(designId);
    });
  saving.set(designId, settled);
}

/**
 * Resolves when the last changes to a design are saved. A design that is opened again before would contain the old
 * marks, and its next save would be a conflict.
 */
export const waitForPendingSave = async (designId: number): Promise<void> => void (await saving.get(designId));
