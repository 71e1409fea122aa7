import { Button, Callout, Checkbox, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import { planRetries, RETRIED_MAX, type RetryPlan } from '#shared/contract/run-failures.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { FailureState, Progress, Skeleton } from '#renderer/ui/states.tsx';
import { useAskBeforeUnload } from '#renderer/ui/use-ask-before-unload.ts';
import { effectText, skippedTexts } from './retry-texts.ts';
import { RetryResults } from './RetryResults.tsx';
import { useRetrying, type Retrying } from './use-retrying.ts';

export interface RetryDialogProps {
  /** The failures of a reason, or runs chosen one by one. */
  wanted: BodyOf<typeof planRetries>;
  onClose: () => void;
}

/** Shows what a retry of many runs would do, retries them after a confirmation, and lists the results. */
export function RetryDialog({ wanted, onClose }: RetryDialogProps) {
  const retrying = useRetrying();
  const { isBusy, done } = retrying;
  const [isAccepted, setAccepted] = useState(false);
  const plan = useQuery({
    queryKey: [...keyOf(planRetries), wanted],
    queryFn: ({ signal }) => call(planRetries, { body: wanted, signal }),
    // A plan must be new whenever somebody is asked, and stay as it is once it has begun.
    gcTime: 0,
    staleTime: Infinity,
  });
  useAskBeforeUnload(isBusy);
  const hasBegun = isBusy || done.length > 0;
  return (
    <Dialog
      isOpen
      title={t('Retry failed runs')}
      icon={null}
      className="rs-retry-dialog"
      canOutsideClickClose={false}
      canEscapeKeyClose={!isBusy}
      isCloseButtonShown={!isBusy}
      onClose={onClose}
    >
      <DialogBody>
        {plan.data === undefined ? (
          plan.error ? (
            <FailureState error={plan.error} onRetry={() => void plan.refetch()} />
          ) : (
            <Skeleton kind="form" />
          )
        ) : hasBegun ? (
          <RetryProgress plan={plan.data} retrying={retrying} />
        ) : (
          <Plan plan={plan.data} isAccepted={isAccepted} onAccept={setAccepted} />
        )}
        {!hasBegun && retrying.error !== null && <Callout intent="danger">{retrying.error}</Callout>}
      </DialogBody>
      <DialogFooter
        actions={<RetryButtons plan={plan.data} retrying={retrying} isAccepted={isAccepted} onClose={onClose} />}
      />
    </Dialog>
  );
}

interface RetryButtonsProps {
  plan: RetryPlan | undefined;
  retrying: Retrying;
  isAccepted: boolean;
  onClose: () => void;
}

function RetryButtons({ plan, retrying: { isBusy, done, start, stop }, isAccepted, onClose }: RetryButtonsProps) {
  const away = useServerReason();
  const ids = plan?.Runs.map(({ Id }) => Id) ?? [];
  const left = ids.length - done.length;
  const needsConsent = (plan?.Effects.length ?? 0) > 0 && !isAccepted;
  const reason = away ?? (needsConsent ? t('Confirm first that this may happen again') : undefined);
  const text =
    done.length === 0
      ? t('{left, plural, one {Retry 1 run} other {Retry # runs}}', { left })
      : t('{left, plural, one {Retry the last run} other {Retry the other # runs}}', { left });
  return (
    <>
      {isBusy ? (
        <Button text={t('Stop')} onClick={stop} />
      ) : (
        <Button text={left > 0 && done.length === 0 ? t('Cancel') : t('Close')} onClick={onClose} autoFocus />
      )}
      {left > 0 && (
        <Button
          text={text}
          intent="primary"
          loading={isBusy}
          disabled={reason !== undefined}
          title={reason}
          onClick={() => void start(ids)}
        />
      )}
    </>
  );
}

interface PlanProps {
  plan: RetryPlan;
  isAccepted: boolean;
  onAccept: (isAccepted: boolean) => void;
}

function Plan({ plan, isAccepted, onAccept }: PlanProps) {
  const { Runs, MoreCount, Effects } = plan;
  const skipped = skippedTexts(plan);
  return (
    <>
      <p>
        {Runs.length === 0
          ? t('None of these runs can be retried.')
          : t(
              '{count, plural, one {1 run is started again} other {# runs are started again, oldest first}}, with the same version and inputs.',
              { count: Runs.length },
            )}
      </p>
      {MoreCount > 0 && (
        <Callout intent="warning" compact>
          {t('Only {most} runs are retried at once. {more} more remain, which you can retry afterwards.', {
            most: numberText(RETRIED_MAX),
            more: numberText(MoreCount),
          })}
        </Callout>
      )}
      {skipped.length > 0 && (
        <ul className="rs-retry-list">
          {skipped.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {Effects.length > 0 && (
        <Callout intent="warning" title={t('These runs also change something outside the portal')}>
          <ul className="rs-retry-list">
            {Effects.map((effect) => (
              <li key={effect.ActivityId}>{effectText(effect)}</li>
            ))}
          </ul>
          <p>{t('The failed runs may already have made some of these changes.')}</p>
          <Checkbox checked={isAccepted} onChange={(event) => onAccept(event.currentTarget.checked)}>
            {t('This may happen again')}
          </Checkbox>
        </Callout>
      )}
    </>
  );
}

function RetryProgress({ plan, retrying: { isBusy, done, error } }: { plan: RetryPlan; retrying: Retrying }) {
  const total = plan.Runs.length;
  const text = t('{done} of {total} runs processed', { done: numberText(done.length), total: numberText(total) });
  return (
    <>
      <div role="status">
        {isBusy ? (
          <Progress share={done.length / total} text={text} label={t('Progress of the retry')} />
        ) : (
          <p>{text}</p>
        )}
      </div>
      {error !== null && <Callout intent="danger">{error}</Callout>}
      <RetryResults plan={plan} results={done} />
    </>
  );
}
