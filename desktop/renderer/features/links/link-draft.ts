/** A link while it is being edited. */
import { formatLinkInfo, parseLinkInfo } from '#shared/codecs/link-info.ts';
import type { Activity, ActivityLink } from '#shared/contract/activities.ts';
import type { Input, Output } from '#shared/contract/parameters.ts';
import { fitsOutput, isLinkable } from '#shared/rules/link-rules.ts';

export interface MappingDraft {
  isMapped: boolean;
  /** Id of the output; null if none is chosen. */
  source: number | null;
  /** By cell usage of the input: true if a user may change it. */
  editable: readonly boolean[];
}

/** By input id. */
export type MappingDrafts = Readonly<Record<number, MappingDraft>>;

/** Returns the inputs that a link may fill. */
export const linkableInputs = ({ Inputs }: Pick<Activity, 'Inputs'>): Input[] => Inputs.filter(isLinkable);

/** Returns the outputs whose values the input accepts. */
export const sourcesOf = ({ Info }: Input, outputs: readonly Output[]): Output[] =>
  outputs.filter((output) => fitsOutput(Info, output.Info));

export function draftsOf(inputs: readonly Input[], link: Pick<ActivityLink, 'LinkInfo'> | null): MappingDrafts {
  const mappings = link ? (parseLinkInfo(link.LinkInfo) ?? []) : [];
  const drafts: Record<number, MappingDraft> = {};
  for (const { Id, Info } of inputs) {
    const mapping = mappings.find(({ target }) => target === Id);
    const editable = Info.CellUsages.map((_, at) => !(mapping?.ReadOnly[at] ?? true));
    drafts[Id] = { isMapped: mapping !== undefined, source: mapping?.source ?? null, editable };
  }
  return drafts;
}

/** Restores mappings from a stored draft if they still fit their inputs. */
export function restoreDrafts(fresh: MappingDrafts, stored: MappingDrafts): MappingDrafts {
  const entries = Object.entries(fresh).map(([id, own]): [number, MappingDraft] => {
    const draft = stored[Number(id)];
    return [Number(id), draft?.editable.length === own.editable.length ? draft : own];
  });
  return Object.fromEntries(entries);
}

/** Formats the mappings; those without a source are omitted. */
export function linkInfoOf(inputs: readonly Input[], outputs: readonly Output[], drafts: MappingDrafts): string {
  return formatLinkInfo(
    inputs.flatMap((input) => {
      const { isMapped, source, editable } = drafts[input.Id]!;
      const fits = sourcesOf(input, outputs).some(({ Id }) => Id === source);
      return isMapped && source !== null && fits
        ? [{ source, target: input.Id, ReadOnly: editable.map((one) => !one) }]
        : [];
    }),
  );
}
