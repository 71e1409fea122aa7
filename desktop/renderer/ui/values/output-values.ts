/** Values of inputs and outputs in the user's region. */
import { valueRows } from '#shared/codecs/format-value.ts';
import { tableOfValue, type ValueTable } from '#shared/codecs/value-table.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { shownValue } from '#renderer/language/shown-value.ts';

type Info = InputInfo | OutputInfo;

/** Returns the text of a single value as Excel shows it. */
export const singleText = (json: string | null, info: Info): string =>
  shownValue(valueRows(json)[0]?.[0], info.Formats[0], info.CellUsages[0]);

/** Returns a list, table or matrix as a table. */
export const valueTable = (json: string | null, info: Info, name: string): ValueTable =>
  tableOfValue(json, info, name, shownValue);
