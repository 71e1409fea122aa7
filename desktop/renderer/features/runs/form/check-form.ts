/** What is checked when a person starts, with the items of the lists that allow nothing else. */
import { picker, type PickerQuery } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { checkInput, type InputIssue } from '#shared/rules/input-rules.ts';
import { call } from '#renderer/api/client.ts';
import { queryClient } from '#renderer/api/queries.ts';
import type { Activity } from '#shared/contract/activities.ts';
import { pickFrom } from '#shared/rules/list-picker.ts';
import { listKey } from './live-values.ts';
import type { PickerSource } from './picker-source.ts';
import type { RunFormState } from './run-form-store.ts';

/** The picker of an input's column; null where it has none. `items`: those of a calculated list, as far as they are known. */
export function pickerSource(
  activity: Pick<Activity, 'Id' | 'Version'>,
  input: Input,
  index: number,
  items?: readonly string[],
): PickerSource | null {
  const column = input.Info.Pickers[index] ?? input.Info.Pickers[0];
  if (!column || (column.Type !== 'List' && column.Type !== 'Database')) return null;
  return {
    key: [activity.Id, activity.Version, input.Id, index, ...(items ? [listVersion(items)] : [])],
    preventOtherValues: column.PreventOtherValues,
    blank: input.Info.Blanks[index] ?? input.Info.Blanks[0] ?? false,
    load: async (body: PickerQuery) =>
      items
        ? pickFrom(items, body)
        : call(picker, { params: { activityId: activity.Id, inputId: input.Id, index }, body }),
  };
}

/** Names a list by what is in it: another list of the same column is fetched anew. */
function listVersion(items: readonly string[]): number {
  const known = listVersions.get(items);
  if (known !== undefined) return known;
  const next = (lists += 1);
  listVersions.set(items, next);
  return next;
}

const listVersions = new WeakMap<readonly string[], number>();
let lists = 0;

/** All items of a list, kept for a minute. */
export async function allItems(source: PickerSource): Promise<string[]> {
  const page = await queryClient.fetchQuery({
    queryKey: ['picker-all', ...source.key],
    queryFn: () => source.load({ All: true }),
    staleTime: 60_000,
  });
  return page.Items.map((item) => item.Value);
}

/** Everything wrong with the form, by input; inputs without an issue are left out. */
export async function checkForm(state: RunFormState): Promise<Record<number, InputIssue[]>> {
  const { activity, forms, uploads } = state;
  const issues: Record<number, InputIssue[]> = {};
  for (const input of activity.Inputs) {
    const upload = uploads[input.Id];
    const found = upload
      ? [{ message: `The upload of ${upload.fileName} has not finished` }]
      : checkInput(input, forms[input.Id]!, await itemsOf(state, input));
    if (found.length > 0) issues[input.Id] = found;
  }
  return issues;
}

async function itemsOf(
  { activity, live }: RunFormState,
  input: Input,
): Promise<(col: number) => readonly string[] | null> {
  const lists = await Promise.all(
    input.Info.Pickers.map(async (column, index) => {
      const source =
        column.Type === 'List' && column.PreventOtherValues
          ? pickerSource(activity, input, index, live.lists[listKey(input.Id, index)])
          : null;
      return source ? allItems(source) : null;
    }),
  );
  return (col) => lists[col] ?? null;
}
