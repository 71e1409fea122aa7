/** Applies a link to the inputs of its target activity. */
import type { Input } from '#shared/contract/parameters.ts';
import type { LinkMapping } from '#shared/contract/links.ts';
import { isLinkable } from '#shared/rules/link-rules.ts';

/**
 * Returns the inputs with the columns that the link lets people change. A preset added later takes precedence over the
 * link. An input that the person may not change always takes the run's value.
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
