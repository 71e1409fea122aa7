import { Checkbox } from '@blueprintjs/core';
import { Changes, History } from '@blueprintjs/icons';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { runDetails, type ActivityRun } from '#shared/contract/runs.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { useAddressValues } from '#renderer/ui/use-address-values.ts';
import { MAX_COMPARED_RUNS, MORE_RUNS } from './compare-path.ts';
import { compareInputs, compareOutputs } from './compare-runs.ts';
import { differenceReason } from './difference-reason.ts';
import { ComparedCells } from './ComparedCells.tsx';
import { ComparedTable } from './ComparedTable.tsx';
import './compare-runs.css';

const ONLY = 'only';

/** /activities/runcompare/{left}/{right}, and ?more={id},{id} for further runs */
export function CompareRunsPage() {
  const { left, right } = useParams();
  const [query] = useSearchParams();
  const more = query.get(MORE_RUNS);
  const ids = [left, right, ...(more ? more.split(',') : [])].map(Number);
  return ids.every((id) => Number.isSafeInteger(id) && id > 0) && ids.length <= MAX_COMPARED_RUNS ? (
    <Comparison key={ids.join()} ids={ids} />
  ) : (
    <NotFoundPage />
  );
}

function Comparison({ ids }: { ids: number[] }) {
  const found = useQueries({
    queries: ids.map((id) => queryOf(runDetails, { params: { id }, query: { activity: true } })),
    combine: combineResults,
  });
  if (found.runs) return <Compared runs={found.runs} />;
  return (
    <Page title={t('Compare runs')}>
      {found.error ? <FailureState error={found.error} onRetry={found.retry} /> : <Skeleton kind="grid" />}
    </Page>
  );
}

/** Combines the results; complete only after all runs have arrived. */
function combineResults(results: UseQueryResult<ActivityRun>[]) {
  const failed = results.filter(({ error }) => error !== null);
  const runs = results.flatMap(({ data }) => data ?? []);
  return {
    runs: runs.length === results.length ? runs : null,
    error: failed[0]?.error ?? null,
    retry: () => failed.forEach(({ refetch }) => void refetch()),
  };
}

function Compared({ runs }: { runs: readonly ActivityRun[] }) {
  const [query, changeAddress] = useAddressValues();
  const onlyDifferences = query.get(ONLY) === 'differences';
  const inputs = useMemo(() => compareInputs(runs), [runs]);
  const outputs = useMemo(() => compareOutputs(runs), [runs]);
  const why = useMemo(() => differenceReason(runs, { inputs, outputs }), [runs, inputs, outputs]);
  const count = [...inputs, ...outputs].filter(({ differs }) => differs).length;
  const name = [...new Set(runs.map(({ Name }) => Name))].join(', ');
  const toggle = (): void =>
    changeAddress((present) => {
      if (onlyDifferences) present.delete(ONLY);
      else present.set(ONLY, 'differences');
      return present;
    });
  return (
    <Page title={t('Compare runs - {name}', { name })} menu={menuOf(runs)} description={countText(count)}>
      <div className="rs-bar">
        <Checkbox className="rs-bar-check" checked={onlyDifferences} onChange={toggle}>
          {t('Only differences')}
        </Checkbox>
      </div>
      {why !== null && <p role="note">{why}</p>}
      <ComparedTable runs={runs} inputs={inputs} outputs={outputs} onlyDifferences={onlyDifferences} />
      {[...inputs, ...outputs].map(
        (value) => value.cells.length > 0 && <ComparedCells key={value.id} value={value} runs={runs} />,
      )}
    </Page>
  );
}

function countText(count: number): string {
  if (count === 0) return t('All inputs and outputs are the same.');
  return t('{count, plural, one {1 input or output differs.} other {# inputs and outputs differ.}}', { count });
}

function menuOf(runs: readonly ActivityRun[]): (MenuEntry | false)[] {
  const [{ ActivityId, Type }] = runs as [ActivityRun];
  const versions = runs.map(({ ActivityVersion }) => ActivityVersion);
  const [older, newer] = [Math.min(...versions), Math.max(...versions)];
  return [
    { text: t('View All Runs'), icon: <History />, to: `/activities/runhistory/${ActivityId}/` },
    runs.every((run) => run.ActivityId === ActivityId) &&
      Type === 'Workbook' &&
      older !== newer && {
        text: t('What changed between the versions'),
        icon: <Changes />,
        to: `/activities/versions/${ActivityId}/changes/${older}/${newer}`,
      },
  ];
}
