import { HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  activityQueueing,
  POOL_NAME_MAX,
  setActivityQueueing,
  type Priority,
  type Queueing,
} from '#shared/contract/queueing.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FailedCard } from '#renderer/ui/FailedCard.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { SuggestedField } from '#renderer/ui/SuggestedField.tsx';
import { useFollowStored } from '#renderer/ui/use-follow-stored.ts';
import { maxConcurrentIssue, parseMaxConcurrent, poolIssue } from './queueing-fields.ts';

const TOUCHED = [activityQueueing];

/**
 * Queue settings of an activity, for user administrators only: editors of the activity must not decide what it takes
 * from others.
 */
export function QueueingCard({ activityId }: { activityId: number }) {
  const isAdmin = useProfile()?.IsUserAdmin ?? false;
  const query = useQuery({ ...queryOf(activityQueueing, { params: { id: activityId } }), enabled: isAdmin });
  const { data } = query;
  if (!isAdmin) return null;
  if (!data) return query.error && <FailedCard title={t('Queue')} query={query} />;
  return (
    <Card title={t('Queue')}>
      <QueueingForm key={activityId} id={activityId} stored={data.Queueing} pools={data.Pools} />
    </Card>
  );
}

const maxConcurrentText = ({ RunsAtOnce }: Queueing): string => (RunsAtOnce === null ? '' : String(RunsAtOnce));

function QueueingForm({ id, stored, pools }: { id: number; stored: Queueing; pools: readonly string[] }) {
  const [pool, setPool] = useState(stored.Pool);
  const [priority, setPriority] = useState(stored.Priority);
  const [maxConcurrent, setMaxConcurrent] = useState(maxConcurrentText(stored));
  const { isBusy, change, failure } = useFormChange(TOUCHED);
  const issues = [poolIssue(pool), maxConcurrentIssue(maxConcurrent)];
  const body: Queueing = {
    Pool: pool.trim(),
    Priority: priority,
    RunsAtOnce: parseMaxConcurrent(maxConcurrent) ?? null,
  };
  useFollowStored(stored, body, (now) => {
    setPool(now.Pool);
    setPriority(now.Priority);
    setMaxConcurrent(maxConcurrentText(now));
  });
  const isUnsaved = JSON.stringify(body) !== JSON.stringify(stored);
  return (
    <form
      aria-label={t('Queue')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void change(() => call(setActivityQueueing, { params: { id }, body }), t('The queue settings were saved'));
      }}
    >
      <p className="rs-muted">
        {t('Only servers in the pool execute its runs. Waiting runs with a higher priority start first.')}
      </p>
      <div className="rs-columns">
        <SuggestedField
          label={t('Pool')}
          value={pool}
          maxLength={POOL_NAME_MAX}
          suggestions={pools}
          onChange={setPool}
          error={poolIssue(pool)}
        />
        <FormField label={t('Priority')}>
          {({ intent: _intent, ...field }) => (
            <HTMLSelect
              {...field}
              fill
              value={priority}
              onChange={(event) => setPriority(event.currentTarget.value as Priority)}
              options={[
                { value: 'High', label: t('High') },
                { value: 'Normal', label: t('Normal') },
                { value: 'Low', label: t('Low') },
              ]}
            />
          )}
        </FormField>
        <TextField
          label={t('Concurrent runs')}
          inputMode="numeric"
          value={maxConcurrent}
          onChange={setMaxConcurrent}
          error={maxConcurrentIssue(maxConcurrent)}
          helper={t('Across all servers. Leave empty for no limit')}
        />
      </div>
      <ErrorSummary {...failure} />
      <div className="rs-form-actions">
        <SubmitButton
          text={t('Save')}
          disabled={!isUnsaved || issues.some((issue) => issue !== null)}
          loading={isBusy}
        />
        <span className="rs-muted" role="status">
          {isUnsaved ? t('Changes not saved') : ''}
        </span>
      </div>
    </form>
  );
}
