import { useMemo } from 'react';
import type { FormInput } from '#shared/codecs/input-form.ts';
import { ruleIndex } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { InputIssue } from '#shared/rules/input-rules.ts';
import { columnNotes, fromGridRows, gridShape, issueKey, toGridRows } from './form-inputs.ts';
import { InputGrid } from './InputGrid.tsx';
import { suggestedCell, type LiveInput } from './live-values.ts';
import type { PickerSource } from './picker-source.ts';

interface GridFieldProps {
  id: string;
  labelledBy: string;
  describedBy?: string;
  input: Input;
  value: FormInput['value'];
  issues: readonly InputIssue[];
  /** Count of the starts that were refused. */
  attempt: number;
  disabled: boolean;
  /** What formulas give in its cells. */
  live: LiveInput | undefined;
  pickerAt: (index: number) => PickerSource | null;
  onChange: (value: FormInput['value']) => void;
}

/** Rows, columns, tables and matrices. */
export function GridField({
  input,
  value,
  disabled,
  issues,
  attempt,
  live,
  onChange,
  pickerAt,
  ...names
}: GridFieldProps) {
  const { Info } = input;
  const rows = useMemo(() => toGridRows(Info, value, disabled, input), [Info, value, disabled, input]);
  const width = rows[0]?.length ?? Info.Width;
  const shape = useMemo(() => gridShape(Info, width, disabled, input), [Info, width, disabled, input]);
  const byCell = useMemo(
    () =>
      new Map(
        issues.flatMap(({ row, col, message }) =>
          row === undefined || col === undefined ? [] : [[issueKey(Info, row, col), message] as const],
        ),
      ),
    [Info, issues],
  );
  const columnNames =
    Info.RangeType === 'SingleColumnOfSimilarValues'
      ? [Info.ColumnHeaderValues[0] || input.Name]
      : Info.ColumnHeaderValues;
  return (
    <InputGrid
      {...names}
      columnNames={columnNames}
      columnNotes={columnNotes(Info)}
      rowNames={Info.RowHeaderValues}
      rows={rows}
      shape={shape}
      disabled={disabled}
      issues={byCell}
      attempt={attempt}
      suggestionAt={(row, col) => suggestedCell(input, live, row, col)}
      pickerOf={(row, col) => pickerAt(ruleIndex(Info, row, col))}
      onChange={(next) => onChange(fromGridRows(Info, next))}
    />
  );
}
