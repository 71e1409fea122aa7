/** The pickers of an input while the form is filled in. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { listKey } from '#renderer/features/run-form/live-values.ts';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';
import { otherValues, pickerSource } from './picker-sources.ts';
import type { RunFormStore } from '#renderer/features/run-form/run-form-store.ts';

/**
 * Returns one source per column. A source stays the same while its list is unchanged, because a new source would fetch
 * the list again.
 */
export function usePickers(store: RunFormStore, input: Input): (PickerSource | null)[] {
  const { activity, origin } = store.getState();
  const lists = useStore(
    store,
    useShallow((state) => input.Info.Pickers.map((_, index) => state.live.lists[listKey(input.Id, index)])),
  );
  // As text, so that equal values count as the same list, whatever else changes in the form.
  const others = useStore(
    store,
    useShallow(({ forms }) =>
      input.Info.Pickers.map((_, index) =>
        JSON.stringify(otherValues(activity.Inputs, input, index, { forms, origin })),
      ),
    ),
  );
  return useMemo(
    () =>
      lists.map((items, index) =>
        pickerSource(activity, input, index, {
          items,
          others: JSON.parse(others[index]!) as RunInputValue[],
          origin,
        }),
      ),
    [activity, input, lists, others, origin],
  );
}

/**
 * Returns the sources of columns with one list per row; a row without a list has no source. A source stays the same
 * while its list is unchanged.
 */
export function useRowPickers(store: RunFormStore, input: Input): (index: number, row: number) => PickerSource | null {
  const { activity, origin } = store.getState();
  const lists = useStore(
    store,
    useShallow((state) => input.Info.Pickers.map((_, index) => state.live.rowLists[listKey(input.Id, index)])),
  );
  return useMemo(() => {
    const columns = lists.map((own, index) => {
      const alike = new Set(own?.values());
      const sources = new Map(
        [...alike].map((items) => [items, pickerSource(activity, input, index, { items, origin })]),
      );
      return new Map([...(own ?? [])].map(([row, items]) => [row, sources.get(items) ?? null]));
    });
    return (index, row) => columns[index]?.get(row) ?? null;
  }, [activity, input, lists, origin]);
}
