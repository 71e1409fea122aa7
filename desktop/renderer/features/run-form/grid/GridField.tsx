import { useCallback, useMemo } from 'react';
import type { FormInput } from '#shared/codecs/input-form.ts';
import { initialFormInput, ruleIndex } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { ChosenCells, InputIssue } from '#shared/rules/input-rules.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import {
  columnNotes,
  fromGridRows,
  gridShape,
  issuePosition,
  sortRefusal,
  toGridRows,
} from '#renderer/features/run-form/form-inputs.ts';
import { gridHeight } from './grid-window.ts';
import type { InputGridProps } from './grid-view.ts';
import { suggestedCell, type LiveInput } from '#renderer/features/run-form/live-values.ts';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';

/** Loaded on demand: many forms have no grid. */
const InputGrid = lazyPart<InputGridProps>(
  async () => (await import('./InputGrid.tsx')).InputGrid,
  ({ rows, shape }) => (
    <div style={{ height: gridHeight(rows.length, shape.rowsVariable) }} className="rs-input-grid-loading">
      <Skeleton kind="grid" />
    </div>
  ),
);

interface GridFieldProps {
  id: string;
  labelledBy: string;
  describedBy?: string;
  input: Input;
  value: FormInput['value'];
  issues: readonly InputIssue[];
  /** Number of refused starts. */
  attempt: number;
  disabled: boolean;
  /** Formula results for its cells. */
  live: LiveInput | undefined;
  /** Returns the picker of a column (or row) for a given row. */
  pickerAt: (index: number, row: number) => PickerSource | null;
  onChange: (value: FormInput['value']) => void;
  /**
   * Called when cells have changed, identified by their positions in issues. Resolves with the issues of these cells.
   */
  onCellsChanged: (isChanged: ChosenCells) => Promise<readonly InputIssue[]>;
}

/** Field for rows, columns, tables and matrices. */
export function GridField({
  input,
  value,
  disabled,
  issues,
  attempt,
  live,
  onChange,
  onCellsChanged,
  pickerAt,
  ...names
}: GridFieldProps) {
  const { Info } = input;
  const rows = useMemo(() => toGridRows(Info, value, disabled, input), [Info, value, disabled, input]);
  const width = rows[0]?.length ?? Info.Width;
  const shape = useMemo(() => gridShape(Info, width, disabled, input), [Info, width, disabled, input]);
  const examples = useMemo(() => toGridRows(Info, initialFormInput(input).value, false), [Info, input]);
  const byCell = useMemo(
    () =>
      new Map(
        issues.flatMap(({ row, col, message }) =>
          row === undefined || col === undefined ? [] : [[cellKey(issuePosition(Info, row, col)), message] as const],
        ),
      ),
    [Info, issues],
  );
  const suggestionAt = useCallback((row: number, col: number) => suggestedCell(input, live, row, col), [input, live]);
  const refusal = useMemo(() => sortRefusal(input, shape), [input, shape]);
  const columnNames =
    Info.RangeType === 'SingleColumnOfSimilarValues'
      ? [Info.ColumnHeaderValues[0] || input.Name]
      : Info.ColumnHeaderValues;
  return (
    <InputGrid
      {...names}
      name={input.Name}
      columnNames={columnNames}
      columnNotes={columnNotes(Info)}
      rowNames={Info.RowHeaderValues}
      rows={rows}
      examples={examples}
      shape={shape}
      disabled={disabled}
      issues={byCell}
      attempt={attempt}
      issueList={issues}
      positionOfIssue={({ row = 0, col = 0 }) => issuePosition(Info, row, col)}
      suggestionAt={suggestionAt}
      sortRefusal={refusal}
      pickerOf={(row, col) => pickerAt(ruleIndex(Info, row, col), row)}
      value={value}
      onChange={(next) => {
        const changed = fromGridRows(Info, next);
        onChange(changed);
        return changed;
      }}
      onCellsChanged={(isChanged) =>
        onCellsChanged((row, col) => {
          const position = issuePosition(Info, row, col);
          return isChanged(position.row, position.col);
        })
      }
    />
  );
}

const cellKey = ({ row, col }: { row: number; col: number }): string => `${row}:${col}`;
