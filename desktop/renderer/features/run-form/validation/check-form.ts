/** Validation at the start, including lists that allow no other values. */
import type { Input } from '#shared/contract/parameters.ts';
import { checkInput, type InputIssue } from '#shared/rules/input-rules.ts';
import { queryClient } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { databaseIssues } from './check-database.ts';
import { listKey } from '#renderer/features/run-form/live-values.ts';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';
import { pickerSource } from '#renderer/features/run-form/fields/picker-sources.ts';
import { askedIssue, liveIssues, spokenIssue } from './rule-notes.ts';
import type { RunFormState } from '#renderer/features/run-form/run-form-store.ts';

/** Returns all items of a list, cached for a minute. */
async function allItems(source: PickerSource): Promise<string[]> {
  const page = await queryClient.fetchQuery({
    queryKey: ['picker-all', ...source.key],
    queryFn: () => source.load({ All: true }),
    staleTime: 60_000,
  });
  return page.Items.map((item) => item.Value);
}

/** Returns all issues of the form by input; inputs without issues are omitted. */
export async function checkForm(state: RunFormState): Promise<Record<number, InputIssue[]>> {
  const { activity, forms, uploads } = state;
  const issues: Record<number, InputIssue[]> = {};
  for (const input of activity.Inputs) {
    const upload = uploads[input.Id];
    const found = upload
      ? [{ message: t('The upload of {fileName} has not finished', { fileName: upload.fileName }) }]
      : checkInput(input, forms[input.Id]!, await itemsOf(state, input)).map((issue) =>
          askedIssue(input, forms[input.Id]!, spokenIssue(input.Info, issue)),
        );
    const refused = found.length > 0 ? [] : liveIssues(state, input, (alert) => alert === 'Stop');
    const outside = found.length + refused.length > 0 ? refused : await databaseIssues(state, input);
    if (found.length + outside.length > 0) issues[input.Id] = [...found, ...outside];
  }
  return issues;
}

/** Returns the items of lists that allow no other values, by column. */
export async function itemsOf(
  { activity, live, origin }: RunFormState,
  input: Input,
): Promise<(col: number) => readonly string[] | null> {
  const lists = await Promise.all(
    input.Info.Pickers.map(async (column, index) => {
      const source =
        column.Type === 'List' && column.PreventOtherValues
          ? pickerSource(activity, input, index, { items: live.lists[listKey(input.Id, index)], origin })
          : null;
      return source ? allItems(source) : null;
    }),
  );
  return (col) => lists[col] ?? null;
}
