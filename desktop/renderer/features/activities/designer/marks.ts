/**
 * The marks of a design: which cells are inputs and outputs, and their options. All functions return new lists and
 * mutate none.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { Design, Mark, MarkOption, MarkRole, ProposedMark } from '#shared/contract/designs.ts';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import { INPUT_OPTIONS, OUTPUT_OPTIONS } from '#shared/rules/parameter-kinds.ts';
import { t } from '#renderer/language/translate.ts';
import { blockOfRange, blocksMeet, rangeOfBlock } from './grid/blocks.ts';

/** A mark as the grid draws it. */
export interface ShownMark {
  /** Unique, and stable while the mark stays at its position. */
  key: string;
  role: MarkRole;
  name: string;
  sheet: string;
  block: CellBlock;
  kind: 'mark' | 'proposal';
  problems: number;
}

interface Placed {
  Sheet: string;
  Range: string;
}

export const MAX_NAME = 200;

export const blockOf = ({ Range }: Pick<Placed, 'Range'>): CellBlock => blockOfRange(Range);
export const keyOfMark = ({ Sheet, Range }: Placed): string => `${Sheet}!${Range}`;

export const markWithKey = (marks: readonly Mark[], key: string | null): Mark | null =>
  marks.find((mark) => keyOfMark(mark) === key) ?? null;

const meets = (a: Placed, b: Placed): boolean => a.Sheet === b.Sheet && blocksMeet(blockOf(a), blockOf(b));

/** Returns the first mark that shares cells with a range. */
export const markMeeting = <T extends Placed>(marks: readonly T[], at: Placed): T | null =>
  marks.find((mark) => meets(mark, at)) ?? null;

/** Adds a mark. Returns the new list, or the message why the mark cannot be added. */
export function addMark(marks: readonly Mark[], mark: Mark): readonly Mark[] | string {
  const other = markMeeting(marks, mark);
  if (other) return overlapText(other);
  return [...marks, { ...mark, Name: freeName(marks, mark.Role, mark.Name) }];
}

function overlapText({ Name, Sheet, Range }: Mark): string {
  return t('These cells overlap with {name} ({place}). Remove that mark first, or select other cells.', {
    name: Name,
    place: `${Sheet}!${Range}`,
  });
}

/** Moves a mark to other cells. Returns the new list, or the message why it cannot be moved. */
export function moveToRange(marks: readonly Mark[], key: string, to: Placed): readonly Mark[] | string {
  const other = markMeeting(
    marks.filter((mark) => keyOfMark(mark) !== key),
    to,
  );
  return other ? overlapText(other) : changeMark(marks, key, to);
}

export const changeMark = (marks: readonly Mark[], key: string, change: Partial<Mark>): readonly Mark[] =>
  marks.map((mark) => (keyOfMark(mark) === key ? { ...mark, ...change } : mark));

/** Sets an option; an empty text removes it, which leaves it to the cells. */
export function withOption(mark: Mark, option: MarkOption, text: string): Mark {
  const { [option]: _, ...others } = mark.Options;
  return { ...mark, Options: text === '' ? others : { ...others, [option]: text } };
}

/**
 * Returns the mark in the other role, without its Order: a position among the inputs means nothing among the outputs.
 */
export function inRole(mark: Mark, role: MarkRole): Mark {
  if (mark.Role === role) return mark;
  const known: readonly string[] = role === 'Output' ? OUTPUT_OPTIONS : INPUT_OPTIONS;
  const fits = (option: MarkOption): boolean => option !== 'Order' && known.includes(option);
  const options = Object.entries(mark.Options) as [MarkOption, string][];
  return { ...mark, Role: role, Options: Object.fromEntries(options.filter(([option]) => fits(option))) };
}

/**
 * True if the author can remove the mark here. A mark that is the name of an Excel table can be removed only in Excel.
 */
export const isRemovable = (mark: Mark): boolean => mark.Table === undefined;

/** Returns the message why the name of an Excel table cannot be changed here. */
export const tableText = (table: string): string =>
  t('The Excel table {table} is marked by its own name. Rename the table in Excel to change or remove this mark.', {
    table,
  });

export const withoutMarks = (marks: readonly Mark[], keys: ReadonlySet<string>): readonly Mark[] =>
  marks.filter((mark) => !isRemovable(mark) || !keys.has(keyOfMark(mark)));

/** Returns a name that is unique within the role, ignoring case. */
function freeName(marks: readonly Mark[], role: MarkRole, name: string): string {
  const taken = new Set(marks.filter((mark) => mark.Role === role).map((mark) => mark.Name.toLowerCase()));
  const short = name.slice(0, MAX_NAME - 4);
  if (!taken.has(short.toLowerCase())) return short;
  let number = 2;
  while (taken.has(`${short} ${number}`.toLowerCase())) number += 1;
  return `${short} ${number}`;
}

/** Returns the marks of a role in form order: marks with an Order first, the others in workbook order. */
export function inOrder(marks: readonly Mark[], role: MarkRole, sheets: Pick<Design, 'Sheets'>['Sheets']): Mark[] {
  const order = (mark: Mark): number => Number(mark.Options.Order ?? Infinity);
  const positionOf = (mark: Mark): number[] => {
    const { top, left } = blockOf(mark);
    return [sheets.findIndex(({ Name }) => Name === mark.Sheet), top, left];
  };
  return marks
    .filter((mark) => mark.Role === role)
    .sort((a, b) => {
      if (order(a) !== order(b)) return order(a) - order(b);
      const [from, to] = [positionOf(a), positionOf(b)];
      return from[0]! - to[0]! || from[1]! - to[1]! || from[2]! - to[2]!;
    });
}

/** Moves a mark within its role and then assigns an Order to each mark of the role. */
export function reordered(marks: readonly Mark[], ordered: readonly Mark[], from: number, to: number): readonly Mark[] {
  const keys = ordered.map(keyOfMark);
  const [moved] = keys.splice(from, 1);
  if (moved === undefined || to < 0 || to > keys.length) return marks;
  keys.splice(to, 0, moved);
  return marks.map((mark) => {
    const at = keys.indexOf(keyOfMark(mark));
    return at === -1 ? mark : withOption(mark, 'Order', String(at + 1));
  });
}

export const markOfProposal = ({ Role, Name, Sheet, Range, Options }: ProposedMark): Mark => ({
  Role,
  Name: Name.slice(0, MAX_NAME),
  Sheet,
  Range,
  Options,
});

/** Returns the proposals whose cells are not marked yet. */
export const openProposals = (proposals: readonly ProposedMark[], marks: readonly Mark[]): ProposedMark[] =>
  proposals.filter((proposal) => markMeeting(marks, proposal) === null);

/** Returns the marks that a new design starts with. */
export function preselected(proposals: readonly ProposedMark[]): readonly Mark[] {
  let marks: readonly Mark[] = [];
  for (const proposal of proposals) {
    if (!proposal.Preselected) continue;
    const more = addMark(marks, markOfProposal(proposal));
    if (typeof more !== 'string') marks = more;
  }
  return marks;
}

/** True if the problem belongs to the mark: it names a cell of the mark. */
export function concerns({ Sheet, Cell }: WorkbookProblem, mark: Placed): boolean {
  return Sheet === mark.Sheet && isRange(Cell) && blocksMeet(blockOfRange(Cell), blockOf(mark));
}

export const isRange = (text: string): boolean => /^[A-Z]{1,3}[1-9]\d{0,6}(?::[A-Z]{1,3}[1-9]\d{0,6})?$/.test(text);

export function shownMarks(
  marks: readonly Mark[],
  proposals: readonly ProposedMark[],
  problems: readonly WorkbookProblem[],
): ShownMark[] {
  const shown = (one: Mark | ProposedMark, kind: ShownMark['kind']): ShownMark => ({
    key: keyOfMark(one),
    role: one.Role,
    name: one.Name,
    sheet: one.Sheet,
    block: blockOf(one),
    kind,
    problems: kind === 'mark' ? problems.filter((problem) => concerns(problem, one)).length : 0,
  });
  return [
    ...marks.map((mark) => shown(mark, 'mark')),
    ...openProposals(proposals, marks).map((proposal) => shown(proposal, 'proposal')),
  ];
}

/** Creates a mark for some cells, named after their label. */
export const newMark = (role: MarkRole, sheet: string, block: CellBlock, name: string): Mark => ({
  Role: role,
  Name: name,
  Sheet: sheet,
  Range: rangeOfBlock(block),
  Options: {},
});
