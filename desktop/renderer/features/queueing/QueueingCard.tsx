import { HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import type { ResultOf } from '#shared/contract/endpoint.ts';
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
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FailedCard } from '#renderer/ui/FailedCard.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { SuggestedField } from '#renderer/ui/SuggestedField.tsx';
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
      <QueueingForm key={activityId} id={activityId} stored={data} />
    </Card>
  );
}

const maxConcurrentText = ({ RunsAtOnce }: Queueing): string => (RunsAtOnce === null ? '' : String(RunsAtOnce));

type Stored = ResultOf<typeof activityQueueing>;

const openedOf = ({ Queueing: stored, Revision }: Stored) => ({
  fields: { pool: stored.Pool, priority: stored.Priority, maxConcurrent: maxConcurrentText(stored) },
  revision: Revision,
});

function QueueingForm({ id, stored }: { id: number; stored: Stored }) {
  const edit = useEdited(openedOf(stored), async () => openedOf(await call(activityQueueing, { params: { id } })));
  const { pool, priority, maxConcurrent } = edit.fields;
  const write = (change: Partial<typeof edit.fields>): void => edit.setFields((before) => ({ ...before, ...change }));
  const { isBusy, change, failure } = useFormChange(TOUCHED);
  const issues = [poolIssue(pool), maxConcurrentIssue(maxConcurrent)];
  const body: Queueing = {
    Pool: pool.trim(),
    Priority: priority,
    RunsAtOnce: parseMaxConcurrent(maxConcurrent) ?? null,
  };
  const isUnsaved = edit.isChanged;
  const save = async (Revision: number | null): Promise<void> => {
    await call(setActivityQueueing, { params: { id }, body: { ...body, Revision } });
  };
  return (
    <form
      aria-label={t('Queue')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void change(() => edit.save(save), t('The queue settings were saved'));
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
          suggestions={stored.Pools}
          onChange={(typed) => write({ pool: typed })}
          error={poolIssue(pool)}
        />
        <FormField label={t('Priority')}>
          {({ intent: _intent, ...field }) => (
            <HTMLSelect
              {...field}
              fill
              value={priority}
              onChange={(event) => write({ priority: event.currentTarget.value as Priority })}
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
          onChange={(typed) => write({ maxConcurrent: typed })}
          error={maxConcurrentIssue(maxConcurrent)}
          helper={t('Across all servers. Leave empty for no limit')}
        />
      </div>
      <ErrorSummary {...failure} />
      <EditConflict edit={edit} isSaving={isBusy} />
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
