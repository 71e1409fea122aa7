/** The visible rows of a run's output tables, which a linked run receives. */
import { valueRows } from '#shared/codecs/format-value.ts';
import { isFileInput, valueShape } from '#shared/codecs/input-form.ts';
import { isRowFilterable } from '#shared/codecs/linked-values.ts';
import { parseLinkInfo } from '#shared/codecs/link-info.ts';
import type { ActivityLink } from '#shared/contract/activities.ts';
import type { OutputTransform } from '#shared/contract/links.ts';
import type { Output } from '#shared/contract/parameters.ts';

/** By output id: row indexes from 0. Missing or null means that the whole table is shown. */
export type ChosenRows = ReadonlyMap<number, readonly number[] | null>;

/** Returns the table outputs that the link passes on. */
function linkedTables(link: ActivityLink, outputs: readonly Output[]): Output[] {
  const sources = new Set((parseLinkInfo(link.LinkInfo) ?? []).map(({ source }) => source));
  return outputs.filter(({ Id, Info }) => sources.has(Id) && valueShape(Info) !== 'cell' && !isFileInput(Info));
}

export function transformsOf(link: ActivityLink, outputs: readonly Output[], chosen: ChosenRows): OutputTransform[] {
  return linkedTables(link, outputs)
    .filter(({ Info }) => isRowFilterable(Info))
    .map(({ Id }) => ({ ActivityParameterId: Id, FilteredRowIndices: chosen.get(Id)?.slice() ?? null }));
}

/** Returns the names of table outputs from which no row would be passed on. */
export function emptyTables(link: ActivityLink, outputs: readonly Output[], chosen: ChosenRows): string[] {
  return linkedTables(link, outputs)
    .filter(({ Id, Info, Value }) => {
      const rows = isRowFilterable(Info) ? chosen.get(Id) : null;
      return (rows ?? valueRows(Value)).length === 0;
    })
    .map(({ Name }) => Name);
}
