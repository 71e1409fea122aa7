import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { summarizeHistory, type HistoryRun, type HistorySearch } from '#shared/contract/run-history.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { Panel } from '#renderer/ui/Panel.tsx';
import { t } from '#renderer/language/translate.ts';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { durationPoints } from './duration-plot.ts';
import { DurationPlot } from './DurationPlot.tsx';
import type { ChangeFilter } from '#renderer/ui/history/history-filter.ts';
import { isoDayOf } from './summary-plot.ts';
import { SummaryPlot } from './SummaryPlot.tsx';

interface HistoryPlotProps {
  label: string;
  runs: readonly HistoryRun[];
  /** True if there are more runs than these. */
  hasMore: boolean;
  search: HistorySearch;
  change: ChangeFilter;
  isInitiallyOpen?: boolean;
}

/** Plots each run if all results are loaded; else a summary of all results from the server. */
export function HistoryPlot({ label, runs, hasMore, search, change, isInitiallyOpen = true }: HistoryPlotProps) {
  const points = useMemo(() => (hasMore ? [] : durationPoints(runs)), [runs, hasMore]);
  if (!hasMore && points.length < 2) return null;
  return (
    <Panel title={t('Durations and outcomes')} name="plot" isInitiallyOpen={isInitiallyOpen}>
      {hasMore ? (
        <Summary
          label={label}
          search={search}
          onPeriod={(from, to) => change((filter) => ({ ...filter, from: isoDayOf(from), to: isoDayOf(to) }))}
        />
      ) : (
        <DurationPlot label={label} points={points} />
      )}
    </Panel>
  );
}

interface SummaryProps {
  label: string;
  search: HistorySearch;
  onPeriod: (from: number, to: number) => void;
}

function Summary({ label, search, onPeriod }: SummaryProps) {
  // Omit the sort order: it does not change the summary.
  const { Sort: _, ...body } = search;
  const { data, error, refetch } = useQuery({
    ...keepPrevious,
    queryKey: [...keyOf(summarizeHistory), body],
    queryFn: ({ signal }) => call(summarizeHistory, { body, signal }),
  });
  if (data) return <SummaryPlot label={label} summary={data} onPeriod={onPeriod} />;
  return error ? <FailureState error={error} onRetry={() => void refetch()} /> : <Skeleton kind="form" />;
}
