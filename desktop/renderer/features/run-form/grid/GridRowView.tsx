import { Cross, Error as ErrorIcon, Tick } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { displayCell, editText, cellProblem } from '#shared/codecs/cell-text.ts';
import { said, t } from '#renderer/language/translate.ts';
import { canRemoveRow } from './grid-rows.ts';
import { isInBlock, selectedBlock } from './grid-selection.ts';
import { ROW_HEIGHT, type Span } from './grid-window.ts';
import { GridCellEditor } from './GridCellEditor.tsx';
import type { InputGridProps } from './grid-view.ts';
import type { GridEditing } from './use-grid-editing.ts';

export interface GridView extends InputGridProps {
  editing: GridEditing;
  offsets: readonly number[];
  headWidth: number;
  /** Number and total width of the frozen columns. */
  frozen: number;
  frozenWidth: number;
  /** True if columns can be sorted and filtered. */
  hasMenus: boolean;
  columns: Span;
}

interface RowProps {
  view: GridView;
  row: number;
  /** Position of the row on the screen. */
  screenRow?: number;
  focusGrid: () => void;
}

export function GridRowView({ view, row, screenRow = row, focusGrid }: RowProps) {
  const { columns, headWidth, offsets, rowNames, frozen } = view;
  const all = Array.from({ length: offsets.length - 1 }, (_, col) => col).filter((col) => !view.shape.isHidden(col));
  const cell = (col: number): ReactNode => <Cell key={col} view={view} row={row} col={col} focusGrid={focusGrid} />;
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className="rs-input-grid-row"
      style={{ top: screenRow * ROW_HEIGHT, width: headWidth + offsets.at(-1)! }}
    >
      <div role="presentation" className="rs-input-grid-fixed" style={{ width: headWidth + view.frozenWidth }}>
        <div
          role="rowheader"
          aria-colindex={1}
          data-line={row}
          className="rs-input-grid-corner"
          style={{ width: headWidth }}
        >
          <span className={rowNames[row] ? 'rs-input-grid-name' : 'rs-input-grid-number'}>
            {rowNames[row] || row + 1}
          </span>
          {view.shape.rowsVariable && <RemoveCell view={view} row={row} focusGrid={focusGrid} />}
        </div>
        {all.filter((col) => col < frozen).map(cell)}
      </div>
      {all.filter((col) => col >= frozen && col >= columns.first && col <= columns.last).map(cell)}
    </div>
  );
}

function RemoveCell({ view, row, focusGrid }: RowProps) {
  if (view.disabled || !canRemoveRow(view.rows, row, view.shape)) return <span className="rs-input-grid-remove" />;
  return (
    <button
      type="button"
      tabIndex={-1}
      className="rs-input-grid-remove"
      aria-label={t('Delete row {row}', { row: row + 1 })}
      title={t('Delete row (Ctrl+Delete)')}
      onClick={() => {
        view.editing.remove(row);
        focusGrid();
      }}
    >
      <Cross size={14} />
    </button>
  );
}

function Cell({ view, row, col, focusGrid }: RowProps & { col: number }) {
  const { editing, shape, offsets, headWidth, id } = view;
  const { active } = editing.selection;
  const isActive = active.row === row && active.col === col;
  const selected = isInBlock(selectedBlock(editing.selection), row, col);
  const kind = shape.kind(row, col);
  const problem = view.issues.get(`${row}:${col}`) ?? cellProblem(view.rows[row]![col] ?? null, kind);
  const issue = problem === null ? undefined : said(problem);
  const readOnly = view.disabled || shape.isReadOnly(row, col);
  const classes = ['rs-input-grid-cell', `rs-usage-${kind.usage}`];
  if (selected) classes.push('is-selected');
  if (isActive) classes.push('is-active');
  if (issue) classes.push('is-invalid');
  if (readOnly) classes.push('is-read-only');
  const isEdited = editing.edited?.row === row && editing.edited.col === col && !readOnly;
  return (
    <div
      id={`${id}-${row}-${col}`}
      role="gridcell"
      aria-colindex={col + 2}
      aria-selected={selected}
      aria-readonly={readOnly || undefined}
      aria-invalid={issue ? true : undefined}
      className={classes.join(' ')}
      title={issue}
      data-row={row}
      data-col={col}
      style={{ left: headWidth + offsets[col]!, width: offsets[col + 1]! - offsets[col]! }}
    >
      {isEdited ? (
        <GridCellEditor
          label={t('{column}, row {row}', {
            column: view.columnNames[col] || t('Column {number}', { number: col + 1 }),
            row: row + 1,
          })}
          initial={editing.edited!.text ?? editText(view.rows[row]![col] ?? null, kind)}
          replaces={editing.edited!.text !== null}
          kind={kind}
          picker={view.pickerOf(row, col)}
          onFinish={(text, move) => {
            editing.finish(text, move);
            focusGrid();
          }}
          onPasteBlock={(event) => {
            editing.finish(null, { rows: 0, cols: 0 });
            editing.onPaste(event);
            focusGrid();
          }}
          onBlur={(text) => editing.finish(text, { rows: 0, cols: 0 })}
        />
      ) : (
        <CellContent view={view} row={row} col={col} issue={issue} readOnly={readOnly} />
      )}
    </div>
  );
}

function CellContent(props: {
  view: GridView;
  row: number;
  col: number;
  issue: string | undefined;
  readOnly: boolean;
}) {
  const { view, row, col, issue, readOnly } = props;
  const kind = view.shape.kind(row, col);
  const own = view.rows[row]![col] ?? null;
  const suggestion = view.suggestionAt(row, col);
  const isOwn = !readOnly && own !== null && own !== '' && own !== false;
  const isSuggested = suggestion !== null && !isOwn;
  const value = isSuggested ? suggestion : own;
  let content: ReactNode = displayCell(value, kind);
  if (kind.usage === 'Boolean' && typeof value === 'boolean') {
    content = (
      <span
        className={`rs-grid-check${value ? ' is-checked' : ''}${isSuggested ? ' is-suggested' : ''}`}
        onClick={() => !readOnly && view.editing.toggle({ row, col })}
      >
        {value && <Tick size={12} />}
        <span className="rs-visually-hidden">{value ? t('TRUE') : t('FALSE')}</span>
      </span>
    );
  }
  return (
    <>
      <span className={isSuggested && !readOnly ? 'rs-input-grid-text is-suggested' : 'rs-input-grid-text'}>
        {content}
        {isSuggested && !readOnly && <span className="rs-visually-hidden"> {t('suggested')}</span>}
      </span>
      {issue && (
        <>
          <ErrorIcon size={14} />
          <span className="rs-visually-hidden">{issue}</span>
        </>
      )}
    </>
  );
}
