/** Proposes inputs and outputs for a workbook that declares none, based on its labels, formulas and looks. */
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { readersOf } from '#server/calculation/graph/reads.ts';
import { formatBlock } from '#shared/codecs/cell-address.ts';
import type { Proposal, ProposalKind, ProposalReason } from '#shared/contract/proposals.ts';
import { addReads } from './cell-reads.ts';
import type { GroupReads } from './cell-reads.ts';
import { formulaDepths, formulaGraph, inputCounts } from './formula-graph.ts';
import { headerBlocks } from './header-blocks.ts';
import type { HeaderBlock } from './header-blocks.ts';
import { headingOver, headingsOf } from './headings.ts';
import { findInputLook } from './input-look.ts';
import { inputCandidates } from './inputs.ts';
import { blockKey, namedBlocks } from './named-blocks.ts';
import type { NamedBlock } from './named-blocks.ts';
import { nameCandidates } from './naming.ts';
import { outputCandidates } from './outputs.ts';
import { PROPOSAL_LIMITS } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import { rankCandidates } from './rank.ts';
import { Content, SheetGrid } from './sheet-grid.ts';
import { RANK_WEIGHTS } from './weights.ts';
import { withWholeTables } from './whole-tables.ts';
import type { WorkbookLooks } from './workbook-looks.ts';

/**
 * Returns at most PROPOSAL_LIMITS.proposals proposals, the most likely first. The first twelve contain both inputs and
 * outputs. Takes time linear in the cells and formulas of the file, and reads only the first cells of a file that
 * exceeds the limits.
 */
export function proposeMarks(model: WorkbookModel, looks: WorkbookLooks): Proposal[] {
  const grids = readGrids(model, looks);
  const reads = addReads(model, grids);
  const look = findInputLook(grids);
  const graph = formulaGraph(reads, grids.length);
  const context = {
    grids,
    groups: new Map(reads.map((one) => [one.group, one])),
    depths: formulaDepths(graph),
    charted: looks.charted,
  };
  const named = namedBlocks(model);
  const found: Candidate[] = [];
  const blocks: HeaderBlock[] = [];
  for (const grid of grids) {
    if (grid.count === 0) continue;
    const own = headerBlocks(grid, model.tables);
    blocks.push(...own);
    found.push(...inputCandidates(grid, own, look, named), ...outputCandidates(grid, own, context));
  }
  const candidates = withWholeTables(found, grids, blocks);
  const ranked = rankCandidates(withNames(candidates, named), (inputs, outputs) => {
    const counts = inputCounts(graph, inputs);
    return outputs.map(({ sheet, block }) => {
      const group = grids[sheet]!.groupAt(block.top, block.left);
      return (group && counts.get(group)) ?? 0;
    });
  });
  const headings = grids.map(headingsOf);
  const names = nameCandidates(ranked, { model, grids, headings });
  const sections = sectionsOf(ranked, headings);
  const counts = { input: 0, output: 0 };
  const limits = { input: PROPOSAL_LIMITS.inputs, output: PROPOSAL_LIMITS.outputs };
  return ranked.map((candidate) => {
    const { role, sheet, block, shape, hasHeaders, score } = candidate;
    const preselected = score >= PROPOSAL_LIMITS.preselected && counts[role] < limits[role];
    if (preselected) counts[role]++;
    const unit = unitOf(grids[sheet]!, candidate);
    const section = sections.get(candidate);
    const kind = kindOf(grids[sheet]!, candidate);
    return {
      sheet: model.sheets[sheet]!.name,
      range: formatBlock(block),
      role,
      shape,
      hasHeaders,
      name: names.get(candidate)!,
      ...(unit ? { unit } : {}),
      ...(section ? { section } : {}),
      ...(kind ? { kind } : {}),
      preselected,
      score: Math.round(score * 1000) / 1000,
      reason: withReaders(candidate, reads),
    };
  });
}

function readGrids(model: WorkbookModel, looks: WorkbookLooks): SheetGrid[] {
  let left: number = PROPOSAL_LIMITS.cells;
  return model.sheets.map((sheet, index) => {
    const maxCells = isPortalSheet(sheet.name) ? 0 : Math.min(left, PROPOSAL_LIMITS.sheetCells);
    const grid = new SheetGrid(model, index, looks, maxCells);
    left -= grid.count;
    return grid;
  });
}

/**
 * Raises the score of named cells, because authors name what they work with. Cells without a label are named after
 * their defined name.
 */
function withNames(candidates: readonly Candidate[], named: readonly NamedBlock[]): Candidate[] {
  const names = new Map(named.map((own) => [blockKey(own), own.name]));
  return candidates.map((candidate) => {
    const name = names.get(blockKey(candidate));
    if (name === undefined) return candidate;
    const score = candidate.score + RANK_WEIGHTS.named;
    if (candidate.label && candidate.label.at !== 'diagonal') return { ...candidate, score };
    const { code, table } = candidate.reason;
    const reason = table === undefined ? { code } : { code, table };
    const label = { row: candidate.block.top, col: candidate.block.left, text: name, raw: name, unit: null };
    return { ...candidate, label: { ...label, at: 'above' as const }, reason, score };
  });
}

/** The sheet on which prepared workbooks declare what names cannot express. */
const isPortalSheet = (name: string): boolean => name.toLowerCase() === 'portal';

/** Assigns sections by heading. A sheet has no sections if all its proposals are under the same heading. */
function sectionsOf(
  ranked: readonly Candidate[],
  headings: readonly Parameters<typeof headingOver>[0][],
): Map<Candidate, string> {
  const sections = new Map<Candidate, string>();
  for (const [sheet, own] of Map.groupBy(ranked, (candidate) => candidate.sheet)) {
    const found = own.map((candidate) => {
      const { top, left } = candidate.block;
      return { candidate, text: headingOver(headings[sheet]!, top, left)?.text };
    });
    if (new Set(found.map(({ text }) => text)).size < 2) continue;
    for (const { candidate, text } of found) {
      if (text !== undefined && text !== candidate.label?.text) sections.set(candidate, text);
    }
  }
  return sections;
}

/** Returns the unit in the label, or a short text to the right of a single value. */
function unitOf(grid: SheetGrid, { shape, block, label }: Candidate): string | null {
  if (label?.unit) return label.unit;
  if (shape !== 'value') return null;
  const right = (grid.mergeAt(block.top, block.left)?.right ?? block.right) + 1;
  const text = grid.text(grid.at(block.top, right));
  if (!/[\p{L}%€$£¥°Ω]/u.test(text) || text.length > 10 || /\s.*\s|[.:!?]$/.test(text)) return null;
  const behind = grid.contentAt(block.top, right + 1);
  return behind === Content.Blank || behind === Content.Text ? text : null;
}

/** Returns null for blocks, because each of their columns has its own type. */
function kindOf(grid: SheetGrid, { shape, block }: Candidate): ProposalKind | null {
  if (shape !== 'value' && shape !== 'list') return null;
  const at = grid.at(block.top, block.left);
  if (at >= 0 && grid.isDateStyle(grid.model.cells.styles[at]!)) return 'Date';
  switch (grid.savedKind(at)) {
    case CellKind.Number:
      return 'Number';
    case CellKind.Boolean:
      return 'Boolean';
    case CellKind.Text:
      return 'Text';
    default:
      return grid.format(at) === 'General' || grid.format(at) === '@' ? null : 'Number';
  }
}

/** Adds the number of formulas that read the cells to the reason. */
function withReaders({ sheet, block, reason }: Candidate, reads: readonly GroupReads[]): ProposalReason {
  let readers = 0;
  for (const { group, reads: own } of reads) {
    let largest = 0;
    for (const read of own) {
      if (read.sheet !== sheet) continue;
      const cells = readersOf(read, group, block);
      if (cells) largest = Math.max(largest, (cells.bottom - cells.top + 1) * (cells.right - cells.left + 1));
    }
    readers += largest;
  }
  return readers > 0 ? { ...reason, readers } : reason;
}
