import { Classes, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import uPlot from 'uplot';
import { storageGrowth, type ActivityGrowth, type StorageGrowth } from '#shared/contract/system.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { axisWidth } from '#renderer/ui/plot/axis-width.ts';
import { seriesColor } from '#renderer/ui/plot/palette.ts';
import { fromZero, PERIOD_CURSOR, periodAxis, periodScale } from '#renderer/ui/plot/period-options.ts';
import { Plot } from '#renderer/ui/plot/Plot.tsx';
import { fileSizeText, numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDay, formatDayTime } from '#renderer/ui/format-date.ts';
import { FormField } from '#renderer/ui/FormField.tsx';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { useNow } from '#renderer/ui/use-now.ts';
import { forecastOf, type Forecast } from './storage-forecast.ts';

const INTERVAL = 5 * 60_000;
const GB = 1024 ** 3;
/** Default for the free space, in GB, if it is unknown. */
const USUAL_GB = 100;
const BAR: [number, number] = [0.6, 40];
/** Ticks of the axis: whole kilobytes, megabytes and so on. */
const BYTE_STEPS = Array.from({ length: 50 }, (_, power) => 2 ** power);

/** Shows how much data runs store per day, and when a given amount of space is used up. */
export function StoragePart() {
  const query = useQuery({
    queryKey: keyOf(storageGrowth),
    queryFn: ({ signal }) => call(storageGrowth, { signal, polls: true }),
    refetchInterval: INTERVAL,
    ...keepPrevious,
  });
  return (
    <>
      <QueryStates query={query}>{(growth) => <Growth growth={growth} />}</QueryStates>
      <p className={`${Classes.TEXT_MUTED} rs-system-note`}>
        {t('The page for purging run data shows how much space the runs of each activity use in total.')}
      </p>
      <LinkButton to="/activities/purgeRunData" text={t('Purge Activity Run Data')} />
    </>
  );
}

function Growth({ growth }: { growth: StorageGrowth }) {
  const { FreeBytes, Since, PerDay, Activities } = growth;
  const free = FreeBytes === null ? null : Math.floor(FreeBytes / GB);
  const [typed, setTyped] = useState<string | null>(null);
  // An empty field yields NaN, and so no forecast.
  const freeGb = typed === null ? (free ?? USUAL_GB) : Number.parseFloat(typed);
  const now = useNow(false);
  const columns = useMemo(() => growthColumns(freeGb * GB, now), [freeGb, now]);
  if (Since === null) return <p>{t('Nothing has run in the last 30 days.')}</p>;
  return (
    <>
      <p>{growthText(growth)}</p>
      <GrowthPlot growth={growth} />
      <div className="rs-system-choice">
        <FormField
          label={t('Available space, in GB')}
          helper={
            free === null
              ? undefined
              : t('{free} GB are free on the disk of the data folder.', { free: numberText(free) })
          }
        >
          {(field) => (
            <InputGroup
              {...field}
              type="number"
              min={0}
              value={typed ?? String(free ?? USUAL_GB)}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </FormField>
      </div>
      <p role="status">{forecastText(forecastOf(freeGb * GB, PerDay, now), PerDay)}</p>
      <DataGrid
        label={t('Storage by activity')}
        rows={Activities}
        columns={columns}
        empty={t('These runs stored nothing')}
        maxRows={10}
      />
    </>
  );
}

function growthText({ Since, Runs, Bytes }: StorageGrowth): string {
  return t(
    'The newest {runs, plural, one {run} other {# runs}}, since {since}, stored {size} of files and values that still exist. This includes data that retention or a purge will delete.',
    { runs: Runs, since: formatDayTime(Since!), size: fileSizeText(Bytes) },
  );
}

function forecastText(forecast: Forecast, perDay: number | null): string {
  switch (forecast.kind) {
    case 'unknown':
      return perDay === null ? t('The runs span less than a day, which is too short for a forecast.') : '';
    case 'never':
      return t('At this rate, the space never runs out.');
    case 'far':
      return t('At {size} per day, the space lasts for more than ten years.', {
        size: fileSizeText(Math.round(perDay!)),
      });
    case 'on':
      return t('At {size} per day, the space is used up on {day}, in {days, plural, one {# day} other {# days}}.', {
        size: fileSizeText(Math.round(perDay!)),
        day: formatDay(forecast.time),
        days: forecast.days,
      });
  }
}

function aloneText(forecast: Forecast): string {
  if (forecast.kind === 'on') return formatDay(forecast.time);
  return forecast.kind === 'far' ? t('in more than ten years') : '';
}

function growthColumns(freeBytes: number, now: number): GridColumn<ActivityGrowth>[] {
  return [
    {
      key: 'Name',
      title: t('Activity'),
      text: ({ Name }) => Name,
      to: ({ ActivityId }) => `/activities/${ActivityId}`,
    },
    {
      key: 'Runs',
      title: t('Runs'),
      align: 'right',
      text: ({ Runs }) => numberText(Runs),
      sortValue: ({ Runs }) => Runs,
    },
    {
      key: 'Bytes',
      title: t('Stored'),
      align: 'right',
      text: ({ Bytes }) => fileSizeText(Bytes),
      sortValue: ({ Bytes }) => Bytes,
    },
    {
      key: 'PerDay',
      title: t('Per day'),
      align: 'right',
      text: ({ PerDay }) => (PerDay === null ? '' : fileSizeText(Math.round(PerDay))),
      sortValue: ({ PerDay }) => PerDay,
    },
    {
      key: 'Alone',
      title: t('Full from this activity alone'),
      text: ({ PerDay }) => aloneText(forecastOf(freeBytes, PerDay, now)),
      sortValue: ({ PerDay }) => (PerDay === null ? null : -PerDay),
    },
  ];
}

function GrowthPlot({ growth }: { growth: StorageGrowth }) {
  const { Periods } = growth;
  const data = useMemo(
    (): uPlot.AlignedData => [Periods.map(({ Time }) => Date.parse(Time) / 1000), Periods.map(({ Bytes }) => Bytes)],
    [Periods],
  );
  const options = useCallback((isDark: boolean) => growthOptions(growth, isDark), [growth]);
  if (Periods.length === 0) return null;
  return <Plot label={t('Data stored by runs over time')} data={data} options={options} height={180} />;
}

function growthOptions(growth: StorageGrowth, isDark: boolean) {
  return {
    cursor: PERIOD_CURSOR,
    scales: { x: periodScale(growth, 1), y: fromZero(1) },
    axes: [
      periodAxis(growth),
      {
        incrs: BYTE_STEPS,
        size: axisWidth,
        values: (_: uPlot, splits: number[]) => splits.map((value) => fileSizeText(value)),
      },
    ],
    series: [
      {},
      {
        fill: seriesColor(0, isDark),
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars!({ size: BAR }),
      },
    ],
  };
}
