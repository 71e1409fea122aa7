/** What an input grid shows, for its parts. */
import type { FormInput } from '#shared/codecs/input-form.ts';
import type { ChosenCells, InputIssue } from '#shared/rules/input-rules.ts';
import type { SuggestionAt } from './grid-layout.ts';
import type { GridRows, GridShape } from '../grid-rows.ts';
import type { GridPosition } from '../grid-selection.ts';
import type { PickerSource } from '../picker-source.ts';

export interface InputGridProps {
  id: string;
  /** Id of the element that names the grid. */
  labelledBy: string;
  /** What the grid is called. */
  name: string;
  describedBy?: string;
  columnNames: readonly string[];
  /** Beside the name in the header; missing ones are blank. */
  columnNotes: readonly string[];
  /** Headers at the left; where there are none, rows are numbered. */
  rowNames: readonly string[];
  rows: GridRows;
  /** The rows of the workbook. */
  examples: GridRows;
  shape: GridShape;
  disabled: boolean;
  /** Count of the starts that were refused. */
  attempt: number;
  /** Message of the cell at `${row}:${col}`. */
  issues: ReadonlyMap<string, string>;
  /** The same to be listed. */
  told: readonly InputIssue[];
  placeOfIssue: (issue: InputIssue) => GridPosition;
  suggestionAt: SuggestionAt;
  /** Why its rows cannot be sorted; null where they can. */
  sortRefusal: string | null;
  pickerOf: (row: number, col: number) => PickerSource | null;
  /** The value that the rows are of, and what is made of other rows. */
  value: FormInput['value'];
  onChange: (rows: GridRows) => FormInput['value'];
  onCellsChanged: (isChanged: ChosenCells) => Promise<readonly InputIssue[]>;
}
