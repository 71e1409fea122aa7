/** How much room an input takes on the form. */
import type { CSSProperties } from 'react';
import { isFileInput, valueShape } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';

/** Whether its cells lie in a grid, which tells itself what is wrong with them. */
export const isGrid = ({ Info }: Pick<Input, 'Info'>): boolean =>
  !isFileInput(Info) &&
  valueShape(Info) !== 'cell' &&
  !(Info.Display === 'CheckBoxList' && valueShape(Info) === 'list' && Info.Pickers[0]?.Type !== 'None');

/** Whether it needs the width of the form, where others stand side by side. */
export const isWide = (input: Pick<Input, 'Info'>): boolean =>
  isGrid(input) || isFileInput(input.Info) || input.Info.CellUsages[0] === 'Condition';

/** Of letters: what a number or a date needs with the button behind it. */
const NUMBER_WIDTH = 22;
const SHORTEST_TEXT = 12;
/** A longer text may as well have all the room there is. */
const LONGEST_TEXT = 50;

/** As wide as its values can be. */
export function fieldWidth({ Info }: Pick<Input, 'Info'>): CSSProperties | undefined {
  const usage = Info.CellUsages[0];
  if (valueShape(Info) !== 'cell' || Info.Pickers[0]?.Type === 'Condition') return undefined;
  const isList = Info.Pickers[0] !== undefined && Info.Pickers[0].Type !== 'None';
  if ((usage === 'Number' || usage === 'Date') && !isList) return widthOf(NUMBER_WIDTH);
  const size = Info.MaxSize[0] ?? null;
  if (usage !== 'Text' || isList || size === null || size > LONGEST_TEXT) return undefined;
  return widthOf(Math.max(SHORTEST_TEXT, size + 4));
}

const widthOf = (letters: number): CSSProperties => ({ '--rs-field-width': `${letters}ch` }) as CSSProperties;
