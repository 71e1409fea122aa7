import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { purgeableActivities, runDataSize, type PurgeableActivity, type RunDataSize } from '#shared/contract/purge.ts';
import { keepPrevious, queryOf } from '#renderer/api/queries.ts';

type Sizes = Pick<RunDataSize, 'Total' | 'InputFile' | 'OutputFile'>;

/** An activity that has runs to purge. Its sizes are null until they are known. */
export type PurgeRow = PurgeableActivity & { [K in keyof Sizes]: number | null };

const UNKNOWN = { Total: null, InputFile: null, OutputFile: null };

/**
 * Queries the activities that have runs to purge before a day. Sizes arrive later, because many runs take seconds to
 * sum up.
 */
export function usePurgeRows(date: string, isValid: boolean) {
  const input = { params: { date } };
  const list = useQuery({ ...queryOf(purgeableActivities, input), enabled: isValid, ...keepPrevious });
  const sizes = useQuery({ ...queryOf(runDataSize, input), enabled: isValid });
  const rows = useMemo((): PurgeRow[] | undefined => {
    const byActivity = new Map(sizes.data?.map((row) => [row.ActivityId, row]));
    return list.data?.map((activity) => ({ ...UNKNOWN, ...byActivity.get(activity.ActivityId), ...activity }));
  }, [list.data, sizes.data]);
  return { list, sizes, rows };
}
