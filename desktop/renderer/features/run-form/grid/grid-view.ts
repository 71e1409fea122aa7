/** What the parts of an input grid share. */
import type { FormInput } from '#shared/codecs/input-form.ts';
import type { ChosenCells, InputIssue } from '#shared/rules/input-rules.ts';
import type { SuggestionAt } from './grid-layout.ts';
import type { GridRows, GridShape } from './grid-rows.ts';
import type { GridPosition } from './grid-selection.ts';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';

export interface InputGridProps {
  id: string;
  /** Id of the element that labels the grid. */
  labelledBy: string;
  /** Name of the grid. */
  name: string;
  describedBy?: string;
  columnNames: readonly string[];
  /** Shown beside the name in the heading; missing notes are blank. */
  columnNotes: readonly string[];
  /** Row headings at the left; without them, rows are numbered. */
  rowNames: readonly string[];
  rows: GridRows;
  /** The rows of the workbook. */
  examples: GridRows;
  shape: GridShape;
  disabled: boolean;
  /** Number of refused starts. */
  attempt: number;
  /** Message of the cell at `${row}:${col}`. */
  issues: ReadonlyMap<string, string>;
  /** The same issues as a list. */
  issueList: readonly InputIssue[];
  positionOfIssue: (issue: InputIssue) => GridPosition;
  suggestionAt: SuggestionAt;
  /** Why the rows cannot be sorted; null if they can. */
  sortRefusal: string | null;
  pickerOf: (row: number, col: number) => PickerSource | null;
  /** The form value of the rows. onChange converts changed rows to a new value. */
  value: FormInput['value'];
  onChange: (rows: GridRows) => FormInput['value'];
  onCellsChanged: (isChanged: ChosenCells) => Promise<readonly InputIssue[]>;
}
