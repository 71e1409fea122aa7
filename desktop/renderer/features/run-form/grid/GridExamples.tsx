import { Button } from '@blueprintjs/core';
import { useMemo, useState } from 'react';
import { t } from '#renderer/language/translate.ts';
import type { GridRows } from './grid-rows.ts';
import type { GridEditing } from './use-grid-editing.ts';
import { exampleRowsFrom } from './example-rows.ts';

interface GridExamplesProps {
  editing: GridEditing;
  /** The rows of the workbook. */
  examples: GridRows;
  /** Returns the keyboard focus to the grid after each button. */
  focusGrid: () => void;
}

/**
 * Shown after a paste of fewer rows than the workbook's example rows: offers to remove the remaining examples, and to
 * restore them.
 */
export function GridExamples({ editing, examples, focusGrid }: GridExamplesProps) {
  const { rows, shape, pastedTo, lastState } = editing;
  const [removed, setRemoved] = useState<{ rows: GridRows; count: number } | null>(null);
  const count = useMemo(
    () => (pastedTo === null ? 0 : exampleRowsFrom(pastedTo, rows, examples, shape)),
    [pastedTo, rows, examples, shape],
  );
  // After another change, undo would revert that change instead.
  const isRemoved = removed !== null && lastState?.rows === removed.rows;
  const line = (text: string, button: string, act: () => void) => (
    <>
      {text}{' '}
      <Button
        variant="minimal"
        size="small"
        text={button}
        onClick={() => {
          act();
          focusGrid();
        }}
      />
    </>
  );
  return (
    <div role="status" className="rs-input-grid-examples">
      {count > 0
        ? line(
            t(
              '{count, plural, one {# example row of the workbook follows} other {# example rows of the workbook follow}} the pasted rows.',
              { count },
            ),
            t('{count, plural, one {Remove the example row} other {Remove the example rows}}', { count }),
            () => {
              setRemoved({ rows, count });
              editing.removeFrom(pastedTo!);
            },
          )
        : isRemoved &&
          line(
            t('{count, plural, one {# example row was} other {# example rows were}} removed.', {
              count: removed.count,
            }),
            t('Undo'),
            editing.undo,
          )}
    </div>
  );
}
