import { describe, expect, it } from 'vitest';
import type { DesignStatus } from '#renderer/features/activities/designer/design-status.ts';
import { beginDesign, NO_WORKBOOK, workbookToContinue, type ChosenWorkbook } from './workbook-choice.ts';

const file = new File(['x'], 'later.xlsx');
const earlier: ChosenWorkbook = { designId: 7, file: null, accepted: ['CUBEVALUE'], region: 'de-AT' };
const status: DesignStatus = {
  isMarked: true,
  isUnsaved: false,
  hasSaveFailed: false,
  undecided: 0,
  flush: async () => null,
};

/** Chooses a file while the earlier workbook is open; returns the workbook while the file is opened and afterwards. */
async function choose(answer: number | null): Promise<ChosenWorkbook[]> {
  let chosen = earlier;
  const during: ChosenWorkbook[] = [];
  await beginDesign(file, {
    open: async () => {
      during.push(chosen);
      return answer;
    },
    write: (change) => (chosen = change),
  });
  return [...during, chosen];
}

describe('another file', () => {
  it('begins a new design, without the choices that were made for the earlier file', async () => {
    const chosen = { ...NO_WORKBOOK, file };
    expect(await choose(8)).toEqual([chosen, { ...chosen, designId: 8 }]);
  });

  it('that is refused does not leave the earlier design to be published', async () => {
    expect((await choose(null)).at(-1)).toEqual(NO_WORKBOOK);
  });
});

describe('the workbook that is left', () => {
  it('can be continued if it has marks', () => {
    expect(workbookToContinue({ ...earlier }, status)).toEqual(earlier);
  });

  it('is not offered without marks, nor where there was none', () => {
    expect(workbookToContinue(earlier, { ...status, isMarked: false })).toBeNull();
    expect(workbookToContinue(earlier, null)).toBeNull();
    expect(workbookToContinue(NO_WORKBOOK, status)).toBeNull();
  });
});
