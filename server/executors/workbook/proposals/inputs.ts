/** Cells that are likely inputs. */
import type { Candidate } from './candidate.ts';
import type { HeaderBlock } from './header-blocks.ts';
import type { InputLook } from './input-look.ts';
import { sectionSays } from './section-words.ts';
import { valueSeries } from './series.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { blankInputs, ruledCells, singleInputs } from './single-inputs.ts';
import { seriesInput, tableInputs } from './table-inputs.ts';
import { isAsideSheet, isInputSheet } from './words.ts';
import { INPUT_WEIGHTS as W } from './weights.ts';

export function inputCandidates(grid: SheetGrid, blocks: readonly HeaderBlock[], look: InputLook): Candidate[] {
  const ruled = ruledCells(grid);
  const candidates = [
    ...blocks.flatMap((block) => tableInputs(grid, block)),
    ...valueSeries(grid).map((block) => seriesInput(grid, block)),
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
  return isInputSheet(name) ? W.inputSheet : isAsideSheet(name) ? W.asideSheet : 0;
}
