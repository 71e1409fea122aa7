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
    score: candidate.score + bonus + SECTIONS[sectionSays(grid, candidate.block)],
  }));
}

/** By what the heading over the cells says. */
const SECTIONS = { inputs: 0.08, results: -0.1, nothing: 0 };

function sheetBonus(grid: SheetGrid): number {
  const { name, visibility } = grid.model;
  if (visibility !== 'visible') return -0.35;
  return isInputSheet(name) ? 0.06 : isAsideSheet(name) ? -0.15 : 0;
}
