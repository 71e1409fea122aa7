import { Checkbox } from '@blueprintjs/core';
import { Changes, History } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { runDetails, type ActivityRun } from '#shared/contract/runs.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { compareInputs, compareOutputs } from './compare-runs.ts';
import { ComparedCells } from './ComparedCells.tsx';
import { ComparedTable } from './ComparedTable.tsx';
import './compare-runs.css';

const ONLY = 'only';

/** /activities/runcompare/{left}/{right} */
export function CompareRunsPage() {
  const { left, right } = useParams();
  const ids = [Number(left), Number(right)] as const;
  return ids.every((id) => Number.isSafeInteger(id) && id > 0) ? (
    <Comparison key={ids.join()} left={ids[0]} right={ids[1]} />
  ) : (
    <NotFoundPage />
  );
}

function Comparison({ left, right }: { left: number; right: number }) {
  const first = useRun(left);
  const second = useRun(right);
  if (first.data && second.data) return <Compared left={first.data} right={second.data} />;
  const failed = first.error ? first : second;
  return (
    <Page title="Compare Runs">
      {failed.error ? (
        <FailureState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <Skeleton kind="grid" />
      )}
    </Page>
  );
}

const useRun = (id: number) => useQuery(queryOf(runDetails, { params: { id }, query: { activity: true } }));

function Compared({ left, right }: { left: ActivityRun; right: ActivityRun }) {
  const [query, setQuery] = useSearchParams();
  const onlyDifferences = query.get(ONLY) === 'differences';
  const inputs = useMemo(() => compareInputs(left, right), [left, right]);
  const outputs = useMemo(() => compareOutputs(left, right), [left, right]);
  const count = [...inputs, ...outputs].filter(({ differs }) => differs).length;
  const name = left.Name === right.Name ? left.Name : `${left.Name}, ${right.Name}`;
  const shown = { left, right, onlyDifferences };
  return (
    <Page title={`Compare Runs - ${name}`} menu={menuOf(left, right)} description={countText(count)}>
      <div className="rs-bar">
        <Checkbox
          className="rs-bar-check"
          checked={onlyDifferences}
          onChange={() => setQuery(onlyDifferences ? {} : { [ONLY]: 'differences' }, { replace: true })}
        >
          Only what differs
        </Checkbox>
      </div>
      <ComparedTable {...shown} inputs={inputs} outputs={outputs} />
      {[...inputs, ...outputs].map(
        (value) => value.cells.length > 0 && <ComparedCells key={value.id} value={value} left={left} right={right} />,
      )}
    </Page>
  );
}

function countText(count: number): string {
  if (count === 0) return 'All inputs and outputs are the same.';
  return count === 1 ? '1 input or output differs.' : `${count} inputs and outputs differ.`;
}

function menuOf(left: ActivityRun, right: ActivityRun): (MenuEntry | false)[] {
  const [older, newer] = [left.ActivityVersion, right.ActivityVersion].toSorted((a, b) => a - b);
  return [
    { text: 'View All Runs', icon: <History />, to: `/activities/runhistory/${left.ActivityId}/` },
    left.ActivityId === right.ActivityId &&
      left.Type === 'Workbook' &&
      older !== newer && {
        text: 'What Changed Between the Versions',
        icon: <Changes />,
        to: `/activities/versions/${left.ActivityId}/changes/${older}/${newer}`,
      },
  ];
}
