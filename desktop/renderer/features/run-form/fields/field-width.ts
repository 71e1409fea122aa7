/** The width of an input on the form. */
import type { CSSProperties } from 'react';
import { isFileInput, valueShape } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';

/** True if the input's cells are in a grid, which shows their issues itself. */
export const isGrid = ({ Info }: Pick<Input, 'Info'>): boolean =>
  !isFileInput(Info) &&
  valueShape(Info) !== 'cell' &&
  !(Info.Display === 'CheckBoxList' && valueShape(Info) === 'list' && Info.Pickers[0]?.Type !== 'None');

/** True if the input needs the full width of the form. Others are side by side. */
export const isWide = (input: Pick<Input, 'Info'>): boolean =>
  isGrid(input) || isFileInput(input.Info) || input.Info.CellUsages[0] === 'Condition';

/** In characters: enough for a number or a date with its button. */
const NUMBER_WIDTH = 22;
const MIN_TEXT_WIDTH = 12;
/** Longer texts get the full width. */
const MAX_TEXT_WIDTH = 50;

/** Returns a width that fits the longest possible value. */
export function fieldWidth({ Info }: Pick<Input, 'Info'>): CSSProperties | undefined {
  const usage = Info.CellUsages[0];
  if (valueShape(Info) !== 'cell' || Info.Pickers[0]?.Type === 'Condition') return undefined;
  const isList = Info.Pickers[0] !== undefined && Info.Pickers[0].Type !== 'None';
  if ((usage === 'Number' || usage === 'Date') && !isList) return widthOf(NUMBER_WIDTH);
  const size = Info.MaxSize[0] ?? null;
  if (usage !== 'Text' || isList || size === null || size > MAX_TEXT_WIDTH) return undefined;
  return widthOf(Math.max(MIN_TEXT_WIDTH, size + 4));
}

const widthOf = (letters: number): CSSProperties => ({ '--rs-field-width': `${letters}ch` }) as CSSProperties;
