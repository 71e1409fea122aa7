/** Converts proposals to marks that an author can accept. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import type { Mark, ProposedMark } from '#shared/contract/designs.ts';
import { intersects } from '../definitions/blocks.ts';
import { displayName } from '../definitions/parameters.ts';
import { MAX_SECTION_LENGTH } from '../definitions/sections.ts';
import type { WorkbookPackage } from '../package.ts';
import { proposeMarks } from '../proposals/propose-marks.ts';
import { readLooks } from '../proposals/workbook-looks.ts';

/** Returns proposals for cells that have no mark yet. */
export function proposedMarks(source: WorkbookPackage, model: WorkbookModel, marks: readonly Mark[]): ProposedMark[] {
  const taken = new Map<string, CellBlock[]>();
  for (const { Sheet, Range } of marks) taken.set(Sheet, [...(taken.get(Sheet) ?? []), parseBlock(Range)!]);
  return proposeMarks(model, readLooks(source, model)).flatMap((proposal) => {
    const { role, name, sheet, range, unit, section, preselected, score, reason } = proposal;
    const block = parseBlock(range)!;
    if (taken.get(sheet)?.some((other) => intersects(other, block))) return [];
    return {
      Role: role === 'input' ? 'Input' : 'Output',
      Name: displayName(name),
      Sheet: sheet,
      Range: range,
      Options: {
        ...(unit ? { Description: unit } : {}),
        ...(section && role === 'input' && section.length <= MAX_SECTION_LENGTH ? { Section: section } : {}),
      },
      Preselected: preselected,
      Score: score,
      Reason: reason,
    };
  });
}
