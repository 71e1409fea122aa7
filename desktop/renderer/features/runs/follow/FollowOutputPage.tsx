import { Button } from '@blueprintjs/core';
import { Export, Media } from '@blueprintjs/icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { exportOutput, outputSeries, type OutputSeries } from '#shared/contract/output-series.ts';
import { exportHistory, type HistorySearch } from '#shared/contract/run-history.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { downloadByToken } from '#renderer/api/download.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { ExportButton } from '#renderer/ui/history/ExportButton.tsx';
import {
  readFilter,
  searchOf,
  searchTitle,
  writeFilter,
  type HistoryFilter,
} from '#renderer/ui/history/history-filter.ts';
import { HistorySearchForm } from '#renderer/ui/history/HistorySearchForm.tsx';
import { StatusFilter } from '#renderer/ui/history/StatusFilter.tsx';
import { Panel } from '#renderer/ui/Panel.tsx';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { showError, showWarning } from '#renderer/ui/toaster.tsx';
import { presentValues, useAddressValues } from '#renderer/ui/use-address-values.ts';
import { savePicture } from './save-picture.ts';
import { SeriesPlot } from './SeriesPlot.tsx';
import './follow.css';

const NUMBER = /^[1-9]\d{0,9}$/;

/** /activities/follow/{id}/{outputId} */
export function FollowOutputPage() {
  const { id = '', outputId = '' } = useParams();
  if (!NUMBER.test(id) || !NUMBER.test(outputId)) return <NotFoundPage />;
  return <Followed key={`${id} ${outputId}`} activityId={Number(id)} outputId={Number(outputId)} />;
}

function Followed({ activityId, outputId }: { activityId: number; outputId: number }) {
  const [query, changeAddress] = useAddressValues();
  const filter = readFilter(query);
  const body = { Search: searchOf(activityId, filter), OutputId: outputId };
  const { data, error, refetch } = useQuery({
    queryKey: [...keyOf(outputSeries), body],
    queryFn: ({ signal }) => call(outputSeries, { body, signal }),
    placeholderData: keepPreviousData,
  });
  const change = (to: (present: HistoryFilter) => HistoryFilter): void =>
    changeAddress((present) => writeFilter(present, to(readFilter(present))));
  const box = useRef<HTMLDivElement>(null);
  if (!data) {
    return (
      <Page title={t('Follow an output')}>
        {error ? <FailureState error={error} onRetry={() => void refetch()} /> : <Skeleton kind="grid" />}
      </Page>
    );
  }
  const title = t('{outputName} of {name}', { outputName: data.OutputName, name: data.ActivityName });
  return (
    <Page
      title={title}
      description={<Others series={data} outputId={outputId} query={query} />}
      actions={
        <>
          <StatusFilter
            chosen={filter.statuses}
            onChange={(to) => change((present) => ({ ...present, statuses: to(present.statuses) }))}
          />
          <Exports activityId={activityId} outputId={outputId} />
          <Button
            icon={<Media />}
            text={t('Picture')}
            title={t('Save the plot as a PNG file')}
            disabled={data.Points.length === 0}
            onClick={() => void savePicture(box.current, title)}
          />
        </>
      }
    >
      <Panel title={searchTitle(filter)} name="search" isInitiallyOpen={false}>
        <HistorySearchForm
          key={JSON.stringify([filter.by, filter.from, filter.to, filter.values])}
          filter={filter}
          parameters={[]}
          onSearch={(next) => change(({ statuses }) => ({ ...next, statuses }))}
        />
      </Panel>
      {error && <FailureState error={error} onRetry={() => void refetch()} />}
      {data.Points.length === 0 ? (
        <EmptyState title={t('No run returned a number')}>
          {t('Use fewer search conditions, or run the activity.')}
        </EmptyState>
      ) : (
        <div ref={box}>
          <PlotOf series={data} />
        </div>
      )}
    </Page>
  );
}

function PlotOf({ series }: { series: OutputSeries }) {
  const navigate = useNavigate();
  return <SeriesPlot series={series} onRun={(id) => void navigate(`/activities/runstatus/${id}/`)} />;
}

/** Links to the activity, its history, and its other numeric outputs. */
function Others({ series, outputId, query }: { series: OutputSeries; outputId: number; query: URLSearchParams }) {
  const { ActivityId, ActivityName, Outputs } = series;
  const search = query.size > 0 ? `?${query.toString()}` : '';
  return (
    <span className="rs-follow-others">
      <Link to={`/activities/${ActivityId}/`}>{ActivityName}</Link>
      <Link to={`/activities/runhistory/${ActivityId}/${search}`}>{t('History')}</Link>
      {Outputs.filter(({ Id }) => Id !== outputId).map(({ Id, Name }) => (
        <Link key={Id} to={`/activities/follow/${ActivityId}/${Id}${search}`}>
          {Name}
        </Link>
      ))}
    </span>
  );
}

function Exports({ activityId, outputId: OutputId }: { activityId: number; outputId: number }) {
  const present = (): HistorySearch => searchOf(activityId, readFilter(presentValues()));
  const csv = async (): Promise<void> => {
    try {
      const { Token, Rows, HasMore } = await call(exportOutput, { body: { Search: present(), OutputId } });
      downloadByToken(Token);
      if (HasMore)
        showWarning(t('The file contains only the newest {count} runs. There are more.', { count: numberText(Rows) }));
    } catch (error) {
      showError(toFailure(error).message);
    }
  };
  return (
    <>
      <Button
        icon={<Export />}
        text={t('CSV')}
        title={t('Download the numbers of this output')}
        onClick={() => void csv()}
      />
      <ExportButton text={t('Excel')} exportRuns={() => call(exportHistory, { body: present() })} />
    </>
  );
}
