import { formatBlock } from '#shared/codecs/cell-address.ts';
import { t } from '#renderer/language/translate.ts';
import { useKeys, type KeyGroup } from '#renderer/ui/page-keys.ts';
import type { KeyboardEvent } from 'react';
import { cellLabel } from './grid/grid-view.ts';
import { SheetGrid } from './grid/SheetGrid.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { SheetTabs } from './SheetTabs.tsx';
import type { Designer } from './use-designer.ts';
import type { DesignerView } from './use-designer-view.ts';

const DESIGNER_KEYS: KeyGroup = {
  title: t('Workbook'),
  keys: [
    { keys: 'I', does: t('Mark the selected cells as an input') },
    { keys: 'O', does: t('Mark the selected cells as an output') },
    { keys: t('Delete'), does: t('Remove the mark') },
    { keys: t('Enter'), does: t('Accept the proposal, or edit the mark') },
    { keys: t('Ctrl+arrows'), does: t('Go to the edge of the data') },
    { keys: t('Ctrl+Page Up, Ctrl+Page Down'), does: t('Go to another sheet') },
    { keys: t('Ctrl+Z, Ctrl+Y'), does: t('Undo, redo') },
  ],
};

interface SheetPartProps {
  designer: Designer;
  view: DesignerView;
  /** Moves the focus to the details of the mark. */
  onEdit: () => void;
}

/** The workbook: the selection bar, the cells and the sheet tabs. */
export function SheetPart({ designer, view, onEdit }: SheetPartProps) {
  useKeys(DESIGNER_KEYS);
  const { design, marks } = designer;
  const { sheet, at, block, selection } = view;
  const { Name, RowsLeftOut } = design.Sheets[sheet]!;
  const goToSheet = (next: number): boolean => {
    if (next < 0 || next >= design.Sheets.length) return false;
    view.showSheet(next, true);
    return true;
  };
  const onKey = ({ key, ctrlKey, metaKey }: KeyboardEvent<HTMLElement>): boolean => {
    if (ctrlKey || metaKey) {
      if (key === 'PageDown') return goToSheet(sheet + 1);
      if (key === 'PageUp') return goToSheet(sheet - 1);
      return false;
    }
    const actions: Record<string, () => void> = {
      i: () => void view.mark('Input'),
      o: () => void view.mark('Output'),
      Delete: view.unmark,
      Backspace: view.unmark,
      Enter: () => (at?.kind === 'proposal' ? view.takeProposal(at.key) : at ? onEdit() : undefined),
    };
    const action = actions[key.length === 1 ? key.toLowerCase() : key];
    action?.();
    return action !== undefined;
  };
  return (
    <div className="rs-designer-sheet">
      <div className="rs-selection-line">
        <SelectionBar
          role={at?.role ?? null}
          isMarked={at?.kind === 'mark'}
          onMark={(role) => void view.mark(role)}
          onUnmark={view.unmark}
        />
        <strong>{formatBlock(block)}</strong>
        <span dir="auto">
          {cellLabel(view.view, selection.active.row, selection.active.col).replace(/^[A-Z]+\d+, /, '')}
        </span>
      </div>
      <SheetGrid
        key={sheet}
        label={t('Sheet {name} of {file}', { name: Name, file: design.FileName })}
        view={view.view}
        selection={selection}
        onSelect={view.select}
        onKey={onKey}
        onTag={(key) => {
          const mark = view.view.marks.find((one) => one.key === key);
          if (mark?.kind === 'proposal') view.takeProposal(key);
          if (mark) view.goTo(mark.sheet, mark.block);
        }}
        chosen={at?.kind === 'mark' ? at.key : null}
        shown={view.shown}
      />
      <SheetTabs
        sheets={design.Sheets}
        shown={sheet}
        onChoose={(next) => view.showSheet(next, false)}
        countOf={(name) => marks.filter((mark) => mark.Sheet === name).length}
      />
      {RowsLeftOut > 0 && (
        <p className="rs-muted">
          {t(
            'This workbook is too large to show in full. {count, plural, one {The last row of this sheet is hidden here, but it is calculated.} other {The last # rows of this sheet are hidden here, but they are calculated.}}',
            {
              count: RowsLeftOut,
            },
          )}
        </p>
      )}
    </div>
  );
}
