import { Button } from '@blueprintjs/core';
import { useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { RunOutcome } from '#renderer/features/runs/status/RunOutcome.tsx';
import { ValuesView, type ShownValue } from '#renderer/ui/values/ValuesView.tsx';
import { said, t } from '#renderer/language/translate.ts';
import '#renderer/features/runs/status/run-status.css';
import { formatDuration } from '#renderer/ui/format-date.ts';
import { Card } from '#renderer/ui/Page.tsx';
import type { DryRun } from '#renderer/features/run-form/form-host.ts';
import type { RunFormStore } from '#renderer/features/run-form/run-form-store.ts';

interface DryRunViewProps {
  store: RunFormStore;
  dryRun: DryRun;
  onClose: () => void;
}

/** Shows the result of a trial calculation and takes the focus. */
export function DryRunView({ store, dryRun: { result, uniqueId }, onClose }: DryRunViewProps) {
  // Each change gives the form a new id.
  const isOutdated = useStore(store, (state) => state.uniqueId !== uniqueId);
  const values = useMemo(
    () =>
      result.Outputs.map((output): ShownValue => ({
        id: output.Id,
        name: output.Name,
        description: output.Description,
        info: output.Info,
        json: output.Value,
        note: output.Value === null ? 'none' : '',
        files: [],
        tableToken: null,
      })),
    [result],
  );
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.focus(), []);
  return (
    <div ref={shown} tabIndex={-1} className="rs-dry-run">
      <Card title={t('Trial calculation; nothing was stored')}>
        <div role="status" className="rs-run-status">
          <RunOutcome status={result.Status} />
          <span className="rs-muted">{t('in {duration}', { duration: formatDuration(result.Duration) })}</span>
        </div>
        {isOutdated && <p className="rs-muted">{t('The inputs have changed since then.')}</p>}
        {result.LeftOutSteps.length > 0 && (
          <p className="rs-muted">
            {t('Skipped steps: {leftOutSteps}.', { leftOutSteps: result.LeftOutSteps.join(', ') })}
          </p>
        )}
        {result.LogEntries.length > 0 && (
          <ul className="rs-dry-run-log" aria-label={t('Log')}>
            {result.LogEntries.map((entry, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the log of what is over does not change
              <li key={index}>{said(entry.Message)}</li>
            ))}
          </ul>
        )}
        <ValuesView values={values} tone="output" />
        <div className="rs-form-actions">
          <Button text={t('Close')} onClick={onClose} />
        </div>
      </Card>
    </div>
  );
}
