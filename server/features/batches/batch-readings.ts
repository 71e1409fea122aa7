/** Collects ambiguous texts of a sheet with the interpretation used. Users see them before they start anything. */
import { cellKindOf, type RowInput, type SheetCell } from '#server/sheets/row-inputs.ts';
import { editText, type CellKind } from '#shared/codecs/cell-text.ts';
import { twoReadings, type TwoReadings } from '#shared/codecs/two-readings.ts';
import type { BatchReading, BatchReadings } from '#shared/contract/batches.ts';

export interface ReadingList {
  add(input: RowInput['input'], Cell: string, cell: SheetCell): void;
  /** Returns null if no text is ambiguous. */
  all(): BatchReadings | null;
}

export function createReadingList(filled: readonly RowInput[]): ReadingList {
  const first: { Number: BatchReading | null; Date: BatchReading | null } = { Number: null, Date: null };
  return {
    add({ Info }, Cell, cell) {
      const kind = cellKindOf(Info);
      if (typeof cell !== 'string' || (kind.usage !== 'Number' && kind.usage !== 'Date')) return;
      const found = twoReadings(cell, kind);
      if (!found) return;
      const known = first[kind.usage];
      if (known) known.More += 1;
      else first[kind.usage] = { Cell, Text: cell.trim(), ...textsOf(found, kind), More: 0 };
    },
    all() {
      if (!first.Number && !first.Date) return null;
      const Region = filled.find(({ input }) => input.Info.Region)?.input.Info.Region ?? null;
      return { Region, Numbers: first.Number, Dates: first.Date };
    },
  };
}

/** Formats both interpretations as the workbook would. */
const textsOf = ({ value, other }: TwoReadings, kind: CellKind) => ({
  Value: editText(value, kind),
  Other: editText(other, kind),
});
