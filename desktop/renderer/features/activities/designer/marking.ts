/** Actions of the buttons and keys on the selected cells. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { MarkRole } from '#shared/contract/designs.ts';
import { t } from '#renderer/language/translate.ts';
import { showMessage, showWarning } from '#renderer/ui/toaster.tsx';
import { blocksMeet, rangeOfBlock } from './grid/blocks.ts';
import type { GridView } from './grid/grid-view.ts';
import { valueAt, type SheetCells } from './grid/sheet-cells.ts';
import { labelOf } from './label-of.ts';
import {
  addMark,
  changeMark,
  inRole,
  isRemovable,
  keyOfMark,
  markOfProposal,
  newMark,
  openProposals,
  tableText,
  withoutMarks,
} from './marks.ts';
import type { Designer } from './use-designer.ts';

interface MarkingContext {
  designer: Designer;
  cells: SheetCells;
  sheet: number;
  /** The selected cells. */
  block: CellBlock;
  view: GridView;
}

/** Number of rows above a selection in which its label is searched. */
const ROWS_ABOVE = 5;

export function markingOf({ designer, cells, sheet, block, view }: MarkingContext) {
  const { design, marks, change } = designer;
  const name = design.Sheets[sheet]!.Name;

  const takeProposal = (key: string): void => {
    const proposal = design.Proposals.find((one) => keyOfMark(one) === key);
    const next = proposal && addMark(marks, markOfProposal(proposal));
    if (typeof next === 'string') showWarning(next);
    else if (next) change(next);
  };

  const mark = async (role: MarkRole): Promise<void> => {
    const same = marks.find((one) => one.Sheet === name && one.Range === rangeOfBlock(block));
    if (same?.Role === role) return;
    if (same?.Table !== undefined) return showWarning(tableText(same.Table));
    if (same) return change(changeMark(marks, keyOfMark(same), inRole(same, role)));
    const proposal = openProposals(design.Proposals, marks).find(
      (one) => one.Role === role && one.Sheet === name && one.Range === rangeOfBlock(block),
    );
    if (!proposal) await cells.need(sheet, Math.max(0, block.top - ROWS_ABOVE), block.top);
    // Other marks may have been added while the cells were fetched.
    const now = designer.latest();
    const label = labelOf(block, (row, col) => valueAt(cells, sheet, row, col));
    const next = addMark(now, proposal ? markOfProposal(proposal) : newMark(role, name, block, label));
    if (typeof next === 'string') showWarning(next);
    else change(next);
  };

  const unmark = (): void => {
    const touched = marks.filter(
      (one) =>
        one.Sheet === name &&
        view.marks.some(({ key, block: its }) => key === keyOfMark(one) && blocksMeet(its, block)),
    );
    const fixed = touched.find((one) => !isRemovable(one));
    if (fixed) showWarning(tableText(fixed.Table!));
    if (touched.length === 0) return showMessage(t('The selected cells have no mark'));
    change(withoutMarks(marks, new Set(touched.map(keyOfMark))));
  };

  return { takeProposal, mark, unmark };
}
