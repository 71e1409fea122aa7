import { tableViewValues, type FilterCriteria, type TableValues } from '#shared/contract/tableviews.ts';
import { call } from '#renderer/api/client.ts';

/** Fetches a page of a view's rows. */
export async function fetchValues(
  id: number,
  criteria: FilterCriteria,
  signal: AbortSignal | undefined,
): Promise<TableValues> {
  const answer = await call(tableViewValues, { params: { id }, body: { FilterCriteria: criteria }, signal });
  return 'TableValues' in answer ? answer.TableValues : answer;
}
