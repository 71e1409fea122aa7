import { Button, Checkbox } from '@blueprintjs/core';
import { Trash } from '@blueprintjs/icons';
import { useRef, useState } from 'react';
import { purgeableActivities, purgeRunData, runDataSize, type PurgeScope } from '#shared/contract/purge.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { refreshActivities } from '#renderer/features/activities/use-activities.ts';
import { fileSizeText, numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { formatDay } from '#renderer/ui/format-date.ts';
import { showError, showMessage, showSuccess } from '#renderer/ui/toaster.tsx';
import { affectedText } from './affected-text.ts';
import type { PurgeRow } from './use-purge-rows.ts';

interface PurgeActionsProps {
  date: string;
  rows: readonly PurgeRow[];
  chosen: readonly PurgeRow[];
  /** True if the rows belong to the current date. */
  isReady: boolean;
  onSelect: (activityIds: readonly number[]) => void;
}

/**
 * What the dialog asked about. Exactly this is purged, even if the date in the address changes while the dialog is
 * open.
 */
interface Asked {
  scope: PurgeScope;
  date: string;
  chosen: readonly PurgeRow[];
}

const QUESTIONS: Record<PurgeScope, string> = {
  All: t('Purge the runs of {names} that were queued before {day}?'),
  InputFiles: t('Purge the input files of the runs of {names} that were queued before {day}?'),
  OutputFiles: t('Purge the output files of the runs of {names} that were queued before {day}?'),
};

/**
 * Maximum number of runs or files per call. A call takes one or two seconds; the dialog updates its progress after
 * each.
 */
const STEP = 500;

/** Rows with unknown sizes count as 0. */
const sumOf = (rows: readonly PurgeRow[], key: 'Total' | 'InputFile' | 'OutputFile'): number =>
  rows.reduce((sum, row) => sum + (row[key] ?? 0), 0);

export function PurgeActions({ date, rows, chosen, isReady, onSelect }: PurgeActionsProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState(0);
  const isStopped = useRef(false);
  const inputs = sumOf(chosen, 'InputFile');
  const outputs = sumOf(chosen, 'OutputFile');
  const isAll = rows.length > 0 && chosen.length === rows.length;

  const ask = (scope: PurgeScope): void => setAsked({ scope, date, chosen });
  const purge = async ({ scope, date: before, chosen: purged }: Asked): Promise<void> => {
    setBusy(true);
    setDone(0);
    isStopped.current = false;
    try {
      const body = purged.map(({ ActivityId }) => ActivityId);
      let total = 0;
      for (let hasMore = true; hasMore && !isStopped.current;) {
        const count = await call(purgeRunData, { params: { date: before, scope }, query: { Most: STEP }, body });
        total += count;
        hasMore = count >= STEP;
        setDone(total);
      }
      showSuccess(affectedText(scope, total));
      onSelect([]);
      setAsked(null);
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      refreshActivities();
      void queryClient.invalidateQueries({ queryKey: keyOf(runDataSize) });
      await queryClient.invalidateQueries({ queryKey: keyOf(purgeableActivities) });
      setBusy(false);
    }
  };

  return (
    <div className="rs-bar">
      <Checkbox
        label={t('Select all')}
        checked={isAll}
        indeterminate={chosen.length > 0 && !isAll}
        disabled={rows.length === 0}
        onChange={() => onSelect(isAll ? [] : rows.map(({ ActivityId }) => ActivityId))}
      />
      <Button
        icon={<Trash />}
        intent={chosen.length === 0 ? 'none' : 'danger'}
        text={label(t('Purge Runs'), sumOf(chosen, 'Total'))}
        disabled={!isReady}
        onClick={() => (chosen.length === 0 ? showMessage(t('Nothing to purge')) : ask('All'))}
      />
      <Button
        text={label(t('Purge input files'), inputs)}
        disabled={!isReady || inputs === 0}
        onClick={() => ask('InputFiles')}
      />
      <Button
        text={label(t('Purge output files'), outputs)}
        disabled={!isReady || outputs === 0}
        onClick={() => ask('OutputFiles')}
      />
      <ConfirmDialog
        isOpen={asked !== null}
        title={t('Purge Activity Run Data')}
        confirmText={t('Purge')}
        intent="danger"
        isBusy={isBusy}
        stopText={t('Stop')}
        onCancel={() => {
          isStopped.current = true;
          if (!isBusy) setAsked(null);
        }}
        onConfirm={() => asked && void purge(asked)}
      >
        {asked && questionOf(asked)} {t('This cannot be undone.')}
        {isBusy && (
          <p role="status" className="rs-muted">
            {t('{progress} so far', { progress: affectedText(asked?.scope ?? 'All', done) })}
          </p>
        )}
      </ConfirmDialog>
    </div>
  );
}

function questionOf({ scope, date, chosen }: Asked): string {
  const names =
    chosen.length === 1 ? chosen[0]!.ActivityName : t('{count} activities', { count: numberText(chosen.length) });
  return t(QUESTIONS[scope], { names, day: formatDay(`${date}T00:00:00`) });
}

const label = (text: string, size: number): string => (size === 0 ? text : `${text} (${fileSizeText(size)})`);
