/** Plans the defined names that declare marks. */
import type { DefinedName, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatCell, parseBlock } from '#shared/codecs/cell-address.ts';
import type { Mark } from '#shared/contract/designs.ts';
import { sameBlock } from '../definitions/blocks.ts';
import { displayName } from '../definitions/parameters.ts';
import { sheetIndex } from '../definitions/areas.ts';
import { CELLS_PREFIX } from './marks-of.ts';
import type { DeclaredMark } from './marks-of.ts';

/** A mark, and how the file declares it. */
export interface PlannedMark {
  mark: Mark;
  /** The name to define, and its cells ("'Loan 1'!$B$4"); null if the file already declares the mark. */
  name: { name: string; text: string } | null;
  /** Content of the Range column of the Portal sheet; '' if the name of the cells suffices. */
  range: string;
}

/** Maximum length of a name in Excel. */
const MAX_NAME = 255;

export interface MarkPlan {
  marks: PlannedMark[];
  /** Names of marks that no longer exist. */
  removed: DefinedName[];
  /** Those that formulas use: they are hidden instead of removed, and no longer declare anything. */
  hidden: DefinedName[];
}

/**
 * Assigns names to the marks, distinct from those that stay in the workbook. `declared` is what the file declares now.
 */
export function planMarks(
  model: WorkbookModel,
  marks: readonly Mark[],
  declared: readonly DeclaredMark[],
  isUsed: (name: string) => boolean,
): MarkPlan {
  const unchanged = new Map(marks.map((mark) => [mark, declared.find((one) => isSameDeclaration(model, mark, one))]));
  const free = new Set(goneNames(declared, [...unchanged.values()]).filter((name) => !isUsed(name.name)));
  const staying = model.names.filter((name) => !free.has(name));
  const taken = new Set([...staying, ...model.tables].map(({ name }) => name.toLowerCase()));
  return {
    marks: marks.map((mark) => planMark(mark, unchanged.get(mark), taken)),
    removed: [...free],
    hidden: goneNames(declared, [...unchanged.values()]).filter((name) => !free.has(name)),
  };
}

/** Returns defined names of declarations that no mark uses any more. */
function goneNames(declared: readonly DeclaredMark[], unchanged: readonly (DeclaredMark | undefined)[]): DefinedName[] {
  return declared.flatMap((one) =>
    unchanged.includes(one) ? [] : [one.definedName ?? [], one.cellsName ?? []].flat(),
  );
}

/** Returns true if that name and those cells already declare the mark, whatever its options are. */
function isSameDeclaration(
  model: WorkbookModel,
  mark: Mark,
  { mark: other, draft, definedName, cellsName }: DeclaredMark,
): boolean {
  const isSame = mark.Role === other.Role && displayName(mark.Name).toLowerCase() === other.Name.toLowerCase();
  if (!isSame || draft.area.sheet !== sheetIndex(model, mark.Sheet)) return false;
  const block = parseBlock(mark.Range);
  // If a row of the Portal sheet declares an address, a name replaces the address, because a name follows its cells.
  const follows = definedName !== null || cellsName !== null || other.Table !== undefined;
  return follows && block !== null && sameBlock(block, draft.area.block);
}

function planMark(mark: Mark, unchanged: DeclaredMark | undefined, taken: Set<string>): PlannedMark {
  if (unchanged) return { mark, name: null, range: unchanged.definedName ? '' : (unchanged.cellsName?.name ?? '') };
  const prefix = mark.Role === 'Input' ? 'in_' : 'out_';
  const word = wordOf(mark.Name);
  const plain = `${prefix}${word}`;
  const saysAll =
    displayName(word).toLowerCase() === displayName(mark.Name).toLowerCase() && !taken.has(plain.toLowerCase());
  const name = saysAll ? plain : freeName(`${CELLS_PREFIX}${word}`, taken);
  taken.add(name.toLowerCase());
  const text = `${quotedSheet(mark.Sheet)}!${absolute(parseBlock(mark.Range)!)}`;
  return { mark, name: { name, text }, range: saysAll ? '' : name };
}

/** Replaces characters that Excel does not allow in a name; it allows letters, digits, dots and underscores. */
function wordOf(name: string): string {
  const word = name
    .trim()
    .replace(/\s+/g, '_')
    .replace(/[^\p{L}\p{N}_.]/gu, '_');
  return word.slice(0, MAX_NAME - 20);
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}_${count}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

const quotedSheet = (name: string): string => `'${name.replaceAll("'", "''")}'`;

function absolute({ top, left, bottom, right }: CellBlock): string {
  const corner = (row: number, col: number): string => formatCell(row, col).replace(/^([A-Z]+)(\d+)$/, '$$$1$$$2');
  return top === bottom && left === right ? corner(top, left) : `${corner(top, left)}:${corner(bottom, right)}`;
}
