import { useQuery } from '@tanstack/react-query';
import { sampleTableRows, type ConnectionTable, type FilterKind } from '#shared/contract/tableviews.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf } from '#renderer/api/queries.ts';

/** Some values of a column, as the database writes them. */
export interface ColumnSample {
  FilterKind: FilterKind;
  values: readonly string[];
}

/** By column name. Empty while they are fetched or if they cannot be; the editor works without them. */
export type Samples = ReadonlyMap<string, ColumnSample>;

const NONE: Samples = new Map();

export function useSamples(table: ConnectionTable): Samples {
  const { data } = useQuery({
    queryKey: [...keyOf(sampleTableRows), table],
    queryFn: ({ signal }) => call(sampleTableRows, { signal, body: table }),
    staleTime: 300_000,
    retry: false,
    select: ({ Columns, Rows }): Samples =>
      new Map(
        Columns.map(({ ColumnName, FilterKind }, index) => [
          ColumnName,
          { FilterKind, values: Rows.flatMap((row) => row[index] ?? []) },
        ]),
      ),
  });
  return data ?? NONE;
}
