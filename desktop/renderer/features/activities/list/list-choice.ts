/** The filters and sort order of the activities table, as stored in the address. */
import { useCallback, useMemo } from 'react';
import { useAddressValues } from '#renderer/ui/use-address-values.ts';
import { SORT_KEYS, STATES, WHOSE, type ListChoice } from './list-rows.ts';

const oneOf = <T extends string>(known: readonly T[], text: string | null): T | null =>
  known.find((one) => one === text) ?? null;

export function readChoice(params: URLSearchParams): ListChoice {
  const sort = params.get('sort') ?? '';
  const key = oneOf(SORT_KEYS, sort.replace(/^-/, ''));
  return {
    search: params.get('q') ?? '',
    schema: params.get('schema'),
    group: params.get('group'),
    state: oneOf(STATES, params.get('state')),
    whose: oneOf(WHOSE, params.get('whose')),
    sort: key && { key, isDown: sort.startsWith('-') },
  };
}

export type ChoiceChange = Partial<Record<'q' | 'schema' | 'group' | 'state' | 'whose' | 'sort', string | null>>;

/** Resets all filters but preserves the sort order. */
export const NO_CHOICE: ChoiceChange = { q: null, schema: null, group: null, state: null, whose: null };

/** Returns the choice and a function that changes parts of it; null removes a part. */
export function useListChoice(): [choice: ListChoice, change: (parts: ChoiceChange) => void] {
  const [params, changeAddress] = useAddressValues();
  const choice = useMemo(() => readChoice(params), [params]);
  const change = useCallback(
    (parts: ChoiceChange) =>
      changeAddress((present) => {
        for (const [name, value] of Object.entries(parts)) {
          if (value === null || value === undefined || value === '') present.delete(name);
          else present.set(name, value);
        }
        return present;
      }),
    [changeAddress],
  );
  return [choice, change];
}
