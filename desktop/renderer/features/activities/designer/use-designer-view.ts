import { useCallback, useMemo, useState } from 'react';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { designPart } from '#shared/contract/designs.ts';
import { call } from '#renderer/api/client.ts';
import { blockBetween } from './grid/blocks.ts';
import { shownLook } from './grid/cell-look.ts';
import { markAt, type GridView } from './grid/grid-view.ts';
import { selectedBlock, selectionAt, selectionOf, type Selection } from './grid/selection.ts';
import { createSheetCells } from './grid/sheet-cells.ts';
import { layoutOf } from './grid/sheet-layout.ts';
import { markingOf } from './marking.ts';
import { shownMarks } from './marks.ts';
import type { Designer } from './use-designer.ts';

/** What should scroll into view. */
export interface Shown {
  sheet: number;
  block: CellBlock;
  takesFocus: boolean;
}

export type DesignerView = ReturnType<typeof useDesignerView>;

/** View state of the workbook: the sheet that is shown, the selection, and the actions of keys and buttons. */
export function useDesignerView(designer: Designer) {
  const { design, marks, found } = designer;
  const [sheet, setSheet] = useState(() => firstSheet(designer));
  const [selections, setSelections] = useState<Readonly<Record<number, Selection>>>({});
  const [shown, setShown] = useState<Shown | null>(null);
  const cells = useMemo(
    () =>
      createSheetCells(design.Sheets, (index, part) =>
        call(designPart, { params: { id: design.Id, sheet: index, part } }),
      ),
    [design],
  );
  const looks = useMemo(() => design.Looks.map(shownLook), [design]);
  const layout = useMemo(() => layoutOf(design.Sheets[sheet]!), [design, sheet]);
  const problems = found?.Faults ?? NO_PROBLEMS;
  const all = useMemo(() => shownMarks(marks, design.Proposals, problems), [marks, design, problems]);
  const name = design.Sheets[sheet]!.Name;
  const view: GridView = useMemo(
    () => ({ design, sheet, layout, looks, cells, marks: all.filter((mark) => mark.sheet === name) }),
    [design, sheet, layout, looks, cells, all, name],
  );
  const selection = selections[sheet] ?? FIRST_CELL;
  const block = selectedBlock(selection, layout);
  const at = markAt(view, selection.active);
  const select = (next: Selection): void => setSelections((before) => ({ ...before, [sheet]: next }));

  const goTo = useCallback(
    (sheetName: string, to: CellBlock, takesFocus = false): void => {
      const index = design.Sheets.findIndex(({ Name }) => Name === sheetName);
      if (index === -1) return;
      setSheet(index);
      setSelections((before) => ({ ...before, [index]: selectionOf(to) }));
      setShown({ sheet: index, block: to, takesFocus });
    },
    [design],
  );

  const showSheet = (index: number, takesFocus: boolean): void => {
    const { active, head } = selections[index] ?? FIRST_CELL;
    setSheet(index);
    setShown({ sheet: index, block: blockBetween(active, head), takesFocus });
  };

  const marking = markingOf({ designer, cells, sheet, block, view });

  return {
    view,
    sheet,
    showSheet,
    selection,
    select,
    block,
    at,
    shown: shown?.sheet === sheet ? shown : null,
    goTo,
    ...marking,
  };
}

const NO_PROBLEMS: never[] = [];
const FIRST_CELL = selectionAt({ row: 0, col: 0 });

/** Returns the sheet of the first mark, else the first sheet that is not hidden. */
function firstSheet({ design, marks }: Designer): number {
  const marked = design.Sheets.findIndex(({ Name }) => marks.some(({ Sheet }) => Sheet === Name));
  const visible = design.Sheets.findIndex(({ IsHidden }) => !IsHidden);
  return marked === -1 ? Math.max(0, visible) : marked;
}
