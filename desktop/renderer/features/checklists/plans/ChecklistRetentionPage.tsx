import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import {
  checklistRetention,
  deleteChecklistRetention,
  updateChecklistRetention,
  type ChecklistRetention,
} from '#shared/contract/checklist-purge.ts';
import { parsePeriod, RETENTION_LABELS, retentionIssues } from '#shared/rules/retention-rules.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { usePutAside } from '#renderer/app/use-put-aside.ts';
import { useSaving } from '#renderer/features/schedules/use-saving.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';

/** /checklists/runretention/edit/{id} */
export function ChecklistRetentionPage() {
  const id = Number(useParams()['id']);
  // Fetched once for the form: what one types must not be replaced by a later answer.
  const query = useQuery({ ...queryOf(checklistRetention, { params: { id } }), staleTime: Infinity, gcTime: 0 });
  const { data, error, refetch } = query;
  return (
    <Page title={t('Checklist run retention')} description={data?.ChecklistName} narrow>
      <Card>
        {data && <RetentionForm details={data} />}
        {!data && error && <FailureState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton kind="form" />}
      </Card>
    </Page>
  );
}

const FIELD_ID = 'checklist-retention';

function RetentionForm({ details }: { details: ChecklistRetention }) {
  const { ChecklistId, ChecklistName, RunRetention } = details;
  const initial = RunRetention === null ? '' : String(RunRetention);
  const [text, setText] = useState(initial);
  const [attempt, setAttempt] = useState(0);
  const [isAsking, setAsking] = useState(false);
  const saving = useSaving();
  const navigate = useNavigate();
  const { isDone } = saving;
  useEffect(() => {
    // Only after the state is drawn, so that the leave warning no longer stands in the way.
    if (isDone) void navigate(`/checklists/edit/${ChecklistId}/`, { replace: true });
  }, [isDone, navigate, ChecklistId]);
  const days = parsePeriod(text);
  const issues = retentionIssues({ RunRetention: days, RunDataRetention: null, RunInputsRetention: null });
  const shown = attempt > 0 ? issues : [];
  const isUnsaved = !isDone && text !== initial;
  usePutAside(`checklist-retention.${ChecklistId}`, isUnsaved ? text : null, setText);

  const save = (told: string, work: () => Promise<unknown>): void =>
    void saving.run(told, async () => {
      await work();
      await queryClient.invalidateQueries({ queryKey: keyOf(checklistRetention) });
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (issues.length > 0) return;
    save(t('Run retention updated'), () =>
      call(updateChecklistRetention, { body: { ChecklistId, RunRetention: days ?? null } }),
    );
  };
  const remove = (): void => {
    setAsking(false);
    save(t('Run retention deleted'), () => call(deleteChecklistRetention, { params: { id: ChecklistId } }));
  };
  return (
    <form onSubmit={submit} noValidate>
      <LeaveWarning isUnsaved={isUnsaved} />
      <p className="rs-muted">
        {t(
          'Counted in days from the end of a run, which goes as a whole: with the runs of its steps, their values and files, and whatever the activities keep. Left empty, runs are kept for ever.',
        )}
      </p>
      <TextField
        id={FIELD_ID}
        label={RETENTION_LABELS.RunRetention}
        labelInfo={t('days')}
        inputMode="numeric"
        maxLength={10}
        value={text}
        onChange={setText}
        error={shown[0]?.message ?? null}
        helper={t('A run that another goes on from stays as long as that one')}
      />
      <ErrorSummary
        title={saving.failure ?? (shown.length > 0 ? t('Please correct the errors shown.') : null)}
        issues={shown.map(({ message }) => ({ fieldId: FIELD_ID, message }))}
        attempt={attempt}
      />
      <div className="rs-form-actions">
        <SubmitButton text={t('Update')} loading={saving.isSaving} />
        {RunRetention !== null && (
          <Button text={t('Delete')} intent="danger" variant="outlined" onClick={() => setAsking(true)} />
        )}
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('Delete')}
        confirmText={t('Delete')}
        intent="danger"
        onCancel={() => setAsking(false)}
        onConfirm={remove}
      >
        {t('Keep the runs of {checklistName} for ever?', { checklistName: ChecklistName })}
      </ConfirmDialog>
    </form>
  );
}
