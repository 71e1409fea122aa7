import { Button } from '@blueprintjs/core';
import { useEffect, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import {
  deleteRunRetention,
  runRetention,
  updateRunRetention,
  type RetentionDetails,
} from '#shared/contract/schedules.ts';
import {
  parsePeriod,
  RETENTION_FIELDS,
  RETENTION_LABELS,
  retentionIssues,
  type RetentionField,
} from '#shared/rules/retention-rules.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { usePutAside } from '#renderer/app/use-put-aside.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { useSaving } from './use-saving.ts';

const HELPERS: Record<RetentionField, string> = {
  RunRetention: t('Whole runs with all that belongs to them'),
  RunDataRetention: t('Outputs and output files'),
  RunInputsRetention: t('Inputs and input files; without them a run cannot be retried'),
};

const fieldId = (field: RetentionField): string => `retention-${field}`;
const textOf = (days: number | null): string => (days === null ? '' : String(days));

export function RetentionForm({ details }: { details: RetentionDetails }) {
  const { ActivityId } = details;
  const [initial] = useState(() => mapFields((field) => textOf(details[field])));
  const [texts, setTexts] = useState(initial);
  const [attempt, setAttempt] = useState(0);
  const [isAsking, setAsking] = useState(false);
  const saving = useSaving();
  const navigate = useNavigate();
  const { isDone } = saving;
  useEffect(() => {
    if (isDone) void navigate(`/activities/edit/${ActivityId}/`, { replace: true });
  }, [isDone, navigate, ActivityId]);

  const periods = mapFields((field) => parsePeriod(texts[field]));
  const issues = retentionIssues(periods);
  const shown = attempt > 0 ? issues : [];
  const exists = RETENTION_FIELDS.some((field) => details[field] !== null);
  const isUnsaved = !isDone && RETENTION_FIELDS.some((field) => texts[field] !== initial[field]);
  usePutAside(`retention.${ActivityId}`, isUnsaved ? texts : null, setTexts);
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(runRetention) });

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (issues.length > 0) return;
    const body = { ActivityId, ...mapFields((field) => periods[field] ?? null) };
    void saving.run(t('Run retention updated'), async () => {
      await call(updateRunRetention, { body });
      await refresh();
    });
  };
  const remove = (): void => {
    setAsking(false);
    void saving.run(t('Run retention deleted'), async () => {
      await call(deleteRunRetention, { params: { id: ActivityId } });
      await refresh();
    });
  };

  return (
    <form onSubmit={submit} noValidate>
      <LeaveWarning isUnsaved={isUnsaved} />
      <p className="rs-muted">
        {t(
          'Counted in days from the end of a run. What is left empty is kept for ever. Runs that are steps of a checklist or workflow go with it, by its retention; until then they stay, and what a checklist needs to be resumed stays with them.',
        )}
      </p>
      {RETENTION_FIELDS.map((field) => (
        <TextField
          key={field}
          id={fieldId(field)}
          label={RETENTION_LABELS[field]}
          labelInfo={t('days')}
          inputMode="numeric"
          maxLength={10}
          value={texts[field]}
          onChange={(text) => setTexts((before) => ({ ...before, [field]: text }))}
          error={shown.find((issue) => issue.field === field)?.message ?? null}
          helper={HELPERS[field]}
        />
      ))}
      <ErrorSummary
        title={saving.failure ?? (shown.length > 0 ? t('Please correct the errors shown.') : null)}
        issues={shown.map(({ field, message }) => ({ fieldId: fieldId(field), message }))}
        attempt={attempt}
      />
      <div className="rs-form-actions">
        <SubmitButton text={t('Update')} loading={saving.isSaving} />
        {exists && <Button text={t('Delete')} intent="danger" variant="outlined" onClick={() => setAsking(true)} />}
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('Delete')}
        confirmText={t('Delete')}
        intent="danger"
        onCancel={() => setAsking(false)}
        onConfirm={remove}
      >
        {t('Keep the runs of {activityName} for ever?', { activityName: details.ActivityName })}
      </ConfirmDialog>
    </form>
  );
}

function mapFields<T>(valueOf: (field: RetentionField) => T): Record<RetentionField, T> {
  return Object.fromEntries(RETENTION_FIELDS.map((field) => [field, valueOf(field)])) as Record<RetentionField, T>;
}
