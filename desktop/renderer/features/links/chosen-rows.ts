/** The rows of a run's tables that its page shows: what a linked run is given. */
import { valueRows } from '#shared/codecs/format-value.ts';
import { isFileInput, valueShape } from '#shared/codecs/input-form.ts';
import { isRowFilterable } from '#shared/codecs/linked-values.ts';
import { parseLinkInfo } from '#shared/codecs/link-info.ts';
import type { ActivityLink } from '#shared/contract/activities.ts';
import type { OutputTransform } from '#shared/contract/links.ts';
import type { Output } from '#shared/contract/parameters.ts';

/** By the output's id: rows from 0. What is not here, or null, is shown whole. */
export type ChosenRows = ReadonlyMap<number, readonly number[] | null>;

/** The table outputs that the link takes. */
function linkedTables(link: ActivityLink, outputs: readonly Output[]): Output[] {
  const sources = new Set((parseLinkInfo(link.LinkInfo) ?? []).map(({ source }) => source));
  return outputs.filter(({ Id, Info }) => sources.has(Id) && valueShape(Info) !== 'cell' && !isFileInput(Info));
}

export function transformsOf(link: ActivityLink, outputs: readonly Output[], chosen: ChosenRows): OutputTransform[] {
  return linkedTables(link, outputs)
    .filter(({ Info }) => isRowFilterable(Info))
    .map(({ Id }) => ({ ActivityParameterId: Id, FilteredRowIndices: chosen.get(Id)?.slice() ?? null }));
}

/** Names of the table outputs of which no row would go. */
export function emptyTables(link: ActivityLink, outputs: readonly Output[], chosen: ChosenRows): string[] {
  return linkedTables(link, outputs)
    .filter(({ Id, Info, Value }) => {
      const rows = isRowFilterable(Info) ? chosen.get(Id) : null;
      return (rows ?? valueRows(Value)).length === 0;
    })
    .map(({ Name }) => Name);
}
