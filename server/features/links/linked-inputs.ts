/** What a link makes of the inputs of the activity it leads to. */
import type { Input } from '#shared/contract/parameters.ts';
import type { LinkMapping } from '#shared/contract/links.ts';
import { isLinkable } from '#shared/rules/link-rules.ts';

/**
 * The inputs with what the link lets people change. A preset given since stands instead of the link; an input that the person has no
 * right to change takes what the run gave, and nothing else.
 */
export function linkedInputs(inputs: readonly Input[], mappings: readonly LinkMapping[]): Input[] {
  return inputs.map((input) => {
    const mapping = mappings.find(({ target }) => target === input.Id);
    if (!mapping || !isLinkable(input)) return input;
    const { length } = input.Info.CellUsages;
    const ReadOnly = Array.from({ length }, (_, at) => !input.HasAccess || (mapping.ReadOnly[at] ?? true));
    return { ...input, HasAccess: true, ReadOnly };
  });
}
