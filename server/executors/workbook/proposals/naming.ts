/** Names proposals after their labels. Names are unique per role; repeated labels are qualified by a heading. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { ProposalRole } from '#shared/contract/proposals.ts';
import { headingOver } from './headings.ts';
import type { Heading } from './headings.ts';
import { definedName, splitUnit } from './labels.ts';
import type { Candidate } from './candidate.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';

export interface NamingContext {
  model: WorkbookModel;
  grids: readonly SheetGrid[];
  headings: readonly Heading[][];
}

const PREFIXES: Record<ProposalRole, RegExp> = { input: /^(?:in_|Xinput_)/i, output: /^(?:out_|Xoutput_)/i };
/** How many rows above are searched for a column's header. */
const MAX_HEADER_ROWS = 30;
/** How many rows above a label are searched for the heading of its group. */
const MAX_GROUP_ROWS = 12;

/**
 * Returns the name of each candidate. Candidates come in the order of their scores: the best candidate with a label
 * gets the plain name if the others can be told apart.
 */
export function nameCandidates(candidates: readonly Candidate[], context: NamingContext): Map<Candidate, string> {
  const names = new Map<Candidate, string>();
  for (const role of ['input', 'output'] as const) {
    const own = candidates.filter((candidate) => candidate.role === role);
    const taken = existingNames(context.model, role);
    const twins = Map.groupBy(own, (candidate) => plainName(candidate).toLowerCase());
    for (const candidate of own) {
      const same = twins.get(plainName(candidate).toLowerCase())!;
      const name = unique(same.length > 1 ? qualifiedName(candidate, same, context) : plainName(candidate), candidate, {
        taken,
        context,
      });
      taken.add(name.toLowerCase());
      names.set(candidate, name);
    }
  }
  return names;
}

/** Returns the names that already exist after in_ or out_. */
function existingNames({ names }: WorkbookModel, role: ProposalRole): Set<string> {
  const prefix = PREFIXES[role];
  return new Set(names.flatMap(({ name }) => (prefix.test(name) ? [name.replace(prefix, '').toLowerCase()] : [])));
}

const plainName = ({ label }: Candidate): string => (label ? definedName(label.text) : '');

function qualifiedName(candidate: Candidate, twins: readonly Candidate[], context: NamingContext): string {
  const own = plainName(candidate);
  if (own === '') return own;
  const isAlone = twins.filter(({ sheet }) => sheet === candidate.sheet).length === 1;
  if (isAlone) return twins[0] === candidate ? own : `${definedName(sheetOf(candidate, context))}_${own}`;
  const qualifiers = [groupOf, headerOf, rowLabelOf, headingOf, sheetOf];
  for (const qualifier of qualifiers) {
    const texts = twins.map((twin) => definedName(qualifier(twin, context) ?? '').toLowerCase());
    const text = definedName(qualifier(candidate, context) ?? '');
    if (text === '' || text.toLowerCase() === own.toLowerCase()) continue;
    if (texts.filter((other) => other === text.toLowerCase()).length > 1) continue;
    return `${text}_${own}`;
  }
  const heading = definedName(headingOf(candidate, context) ?? '');
  return heading === '' || heading.toLowerCase() === own.toLowerCase() ? own : `${heading}_${own}`;
}

function headingOf({ sheet, label }: Candidate, { headings }: NamingContext): string | null {
  return label ? (headingOver(headings[sheet]!, label.row, label.col)?.text ?? null) : null;
}

/**
 * Returns the text that heads a group of labels: the first one above the label, in its column, that has no value beside
 * it.
 */
function groupOf({ sheet, block, label }: Candidate, { grids }: NamingContext): string | null {
  if (label?.at !== 'left') return null;
  const grid = grids[sheet]!;
  for (let row = label.row - 1; row >= Math.max(0, label.row - MAX_GROUP_ROWS); row--) {
    const at = grid.at(row, label.col);
    const isHeading = grid.content(at) === Content.Text && grid.contentAt(row, block.left) === Content.Blank;
    if (isHeading) return splitUnit(grid.text(at)).name;
  }
  return null;
}

const sheetOf = ({ sheet }: Candidate, { grids }: NamingContext): string => grids[sheet]!.model.name;

/** Returns the column header of a cell that a label on its left names. */
function headerOf({ sheet, block, label }: Candidate, { grids }: NamingContext): string | null {
  if (label?.at === 'above') return null;
  const grid = grids[sheet]!;
  for (let row = block.top - 1; row >= Math.max(0, block.top - MAX_HEADER_ROWS); row--) {
    const at = grid.at(row, block.left);
    if (grid.content(at) !== Content.Text) continue;
    return splitUnit(grid.text(at)).name;
  }
  return null;
}

/** Returns the row label of a cell that its column header names. */
function rowLabelOf({ sheet, block, label }: Candidate, { grids }: NamingContext): string | null {
  if (label?.at !== 'above' || block.bottom > block.top) return null;
  const grid = grids[sheet]!;
  for (let col = block.left - 1; col >= Math.max(0, block.left - 8); col--) {
    const text = grid.text(grid.at(block.top, col));
    if (text !== '') return splitUnit(text).name;
  }
  return null;
}

function unique(
  wanted: string,
  { sheet, block, role }: Candidate,
  { taken, context }: { taken: ReadonlySet<string>; context: NamingContext },
): string {
  const fallback = `${role === 'input' ? 'Value' : 'Result'}_${definedName(context.grids[sheet]!.model.name)}_${formatCell(block.top, block.left)}`;
  const base = wanted === '' ? fallback : wanted;
  let name = base;
  for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${base}_${count}`;
  return name;
}
