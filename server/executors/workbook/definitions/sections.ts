/** Derives the sections of a form from headings above inputs in the sheet, if the Portal sheet names none. */
import type { InputDefinition } from '#server/executors/activity-definition.ts';
import { CellKind, type SheetModel, type WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { InputInfo } from '#shared/contract/parameters.ts';
import type { CellView } from './cell-view.ts';
import type { RowReader } from './portal-values.ts';

interface Heading {
  row: number;
  col: number;
  text: string;
}

/** Maximum length of a section title in characters; longer texts are sentences with instructions. */
export const MAX_SECTION_LENGTH = 60;

/** Adds the section that the Portal sheet names. */
export function addSection(row: RowReader, info: InputInfo): void {
  const section = row.text('Section');
  if (section.length > MAX_SECTION_LENGTH) {
    row.addProblem('Section', `Section has more than ${MAX_SECTION_LENGTH} characters.`, 'Shorten it.');
  } else if (section !== '') info.Section = section;
}

/**
 * Assigns each input the nearest heading above it. A sheet has no sections if all its inputs have the same heading,
 * which is its title. Does nothing if the workbook names sections itself.
 */
export function addSections(model: WorkbookModel, view: CellView, inputs: readonly InputDefinition[]): void {
  if (inputs.some(({ Info }) => Info.Section !== undefined)) return;
  for (const [sheet, placed] of Map.groupBy(inputs, ({ location }) => location.sheet)) {
    const headings = headingsOf(model.sheets[sheet]!, sheet, view, placed);
    const found = placed.map((input) => ({ input, text: headingOver(headings, input) }));
    const texts = new Set(found.flatMap(({ text }) => text ?? []));
    if (texts.size < 2) continue;
    for (const { input, text } of found) if (text !== null) input.Info.Section = text;
  }
}

function headingOver(headings: readonly Heading[], { location, Info }: InputDefinition): string | null {
  const { top, left } = location.block;
  const over = headings.findLast(({ row, col }) => row < top - Info.HeaderRows && col <= left);
  return over?.text ?? null;
}

/**
 * Returns texts that are the only content of their row, from the top. Labels do not qualify, because a value is beside
 * them.
 */
function headingsOf(
  { cells }: SheetModel,
  sheet: number,
  view: CellView,
  inputs: readonly InputDefinition[],
): Heading[] {
  const headings: Heading[] = [];
  for (let at = 0; at < cells.count;) {
    const row = cells.rows[at]!;
    let last = at;
    const filled: number[] = [];
    for (; last < cells.count && cells.rows[last] === row; last += 1) {
      if (cells.kinds[last] !== CellKind.Blank || cells.formulas[last]! >= 0) filled.push(last);
    }
    at = last;
    const [only] = filled;
    if (filled.length !== 1 || cells.kinds[only!] !== CellKind.Text || cells.formulas[only!]! >= 0) continue;
    const hasInput = inputs.some(
      ({ location: { block }, Info }) => row >= block.top - Info.HeaderRows && row <= block.bottom,
    );
    const heading = hasInput ? null : headingText(view.cell(sheet, row, cells.cols[only!]!).value);
    if (heading !== null) headings.push({ row, col: cells.cols[only!]!, text: heading });
  }
  return headings;
}

function headingText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim().replace(/\s+/g, ' ').replace(/:$/, '');
  return text === '' || text.length > MAX_SECTION_LENGTH || /[.!?]$/.test(text) ? null : text;
}
