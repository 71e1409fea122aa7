import { tableViewValues, type FilterCriteria, type TableValues } from '#shared/contract/tableviews.ts';
import { call } from '#renderer/api/client.ts';

/** A page of the rows of a view. */
export async function fetchValues(
  id: number,
  criteria: FilterCriteria,
  signal: AbortSignal | undefined,
): Promise<TableValues> {
  const answer = await call(tableViewValues, { params: { id }, body: { FilterCriteria: criteria }, signal });
  return 'TableValues' in answer ? answer.TableValues : answer;
}
