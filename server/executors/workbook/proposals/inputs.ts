/** Finds cells that are likely inputs. */
import { formatBlock } from '#shared/codecs/cell-address.ts';
import { blankInputs } from './blank-inputs.ts';
import type { Candidate } from './candidate.ts';
import type { HeaderBlock } from './header-blocks.ts';
import type { InputLook } from './input-look.ts';
import type { NamedBlock } from './named-blocks.ts';
import { sectionSays } from './section-words.ts';
import { sparseBlocks } from './sparse-blocks.ts';
import { valueSeries } from './series.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { ruledCells, singleInputs } from './single-inputs.ts';
import { seriesInput, sparseInput, tableInputs } from './table-inputs.ts';
import { isSupportingSheet, isInputSheet } from './words.ts';
import { INPUT_WEIGHTS as W } from './weights.ts';

/** Minimum share of formulas among the filled cells of a sheet that calculates. */
const FORMULA_SHARE = 0.25;

export function inputCandidates(
  grid: SheetGrid,
  blocks: readonly HeaderBlock[],
  look: InputLook,
  named: readonly NamedBlock[],
): Candidate[] {
  const ruled = ruledCells(grid);
  const own = named.filter(({ sheet }) => sheet === grid.index).map(({ block }) => block);
  const names = new Set(own.map(formatBlock));
  const candidates = [
    ...blocks.flatMap((block) => tableInputs(grid, block)),
    ...sparseBlocks(grid).map((block) => sparseInput(grid, block)),
    ...valueSeries(grid, own).map((block) => seriesInput(grid, block, names.has(formatBlock(block)))),
    ...singleInputs(grid, look, ruled),
    ...blankInputs(grid, look, ruled),
  ];
  const bonus = sheetBonus(grid);
  return candidates.map((candidate) => ({
    ...candidate,
    score: candidate.score + bonus + sectionWeight(grid, candidate),
  }));
}

function sectionWeight(grid: SheetGrid, { block }: Candidate): number {
  const says = sectionSays(grid, block);
  return says === 'inputs' ? W.inputHeading : says === 'results' ? W.resultHeading : 0;
}

function sheetBonus(grid: SheetGrid): number {
  const { name, visibility } = grid.model;
  if (visibility !== 'visible') return W.hiddenSheet;
  if (isInputSheet(name)) return W.inputSheet;
  return isSupportingSheet(name) && !hasManyFormulas(grid) ? W.supportingSheet : 0;
}

/** Sheets of lists or raw data have few formulas. A sheet with many is not such a sheet, whatever its name. */
function hasManyFormulas(grid: SheetGrid): boolean {
  let formulas = 0;
  let filled = 0;
  for (let at = 0; at < grid.count; at++) {
    const content = grid.content(at);
    if (content === Content.Blank) continue;
    filled++;
    if (content === Content.Formula) formulas++;
  }
  return formulas >= FORMULA_SHARE * filled;
}
