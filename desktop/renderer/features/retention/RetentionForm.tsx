import { Button } from '@blueprintjs/core';
import { useEffect, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import {
  parsePeriod,
  RETENTION_FIELDS,
  RETENTION_LABELS,
  retentionIssues,
  type RetentionField,
} from '#shared/rules/retention-rules.ts';
import { useSessionDraft } from '#renderer/app/use-session-draft.ts';
import { said, t } from '#renderer/language/translate.ts';
import { neutralNumber } from '#renderer/language/typed-numbers.ts';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { useSaving } from '#renderer/ui/query/use-saving.ts';

type Periods = Record<RetentionField, number | null>;

/** The activity or checklist whose runs are retained. */
export interface RetentionOwner {
  name: string;
  /** Page to which the form returns. */
  path: string;
  /** Key of the stored draft. */
  key: string;
  /** Explains from when the days are counted. */
  text: string;
  /** The available fields, each with a text that says what is deleted. */
  helpers: Partial<Record<RetentionField, string>>;
  /** The stored periods. */
  periods: Periods;
  Revision: number;
  /** The stored periods as they are now. */
  read(): Promise<Periods & { Revision: number }>;
  save(periods: Periods & { Revision: number | null }): Promise<void>;
  remove(): Promise<void>;
}

const fieldId = (field: RetentionField): string => `retention-${field}`;
const textOf = (days: number | null): string => (days === null ? '' : String(days));

const openedOf = (stored: Periods, revision: number): Opened<Record<RetentionField, string>> => ({
  fields: mapFields((field) => textOf(stored[field])),
  revision,
});

export function RetentionForm({ owner }: { owner: RetentionOwner }) {
  const { name, path, helpers, periods: stored } = owner;
  const fields = RETENTION_FIELDS.filter((field) => helpers[field] !== undefined);
  const edit = useEdited(openedOf(stored, owner.Revision), async () => {
    const now = await owner.read();
    return openedOf(now, now.Revision);
  });
  const { fields: texts, setFields: setTexts } = edit;
  const [attempt, setAttempt] = useState(0);
  const [isAsking, setAsking] = useState(false);
  const saving = useSaving();
  const navigate = useNavigate();
  const { isDone } = saving;
  useEffect(() => {
    // Navigate only after the saved state is rendered, because the leave warning would block it before.
    if (isDone) void navigate(path, { replace: true });
  }, [isDone, navigate, path]);

  const periods = mapFields((field) => parsePeriod(neutralNumber(texts[field])));
  const issues = retentionIssues(periods);
  const shown = attempt > 0 ? issues : [];
  const exists = fields.some((field) => stored[field] !== null);
  const isUnsaved = !isDone && edit.isChanged;
  useSessionDraft(owner.key, isUnsaved ? edit.draft : null, edit.restore);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (issues.length > 0) return;
    const days = mapFields((field) => periods[field] ?? null);
    void saving.run(t('Run retention updated'), () => edit.save((Revision) => owner.save({ ...days, Revision })));
  };
  const remove = (): void => {
    setAsking(false);
    void saving.run(t('Run retention deleted'), () => owner.remove());
  };

  return (
    <form onSubmit={submit} noValidate>
      <LeaveWarning isUnsaved={isUnsaved} />
      <p className="rs-muted">{owner.text}</p>
      {fields.map((field) => (
        <TextField
          key={field}
          id={fieldId(field)}
          label={said(RETENTION_LABELS[field])}
          labelInfo={t('days')}
          inputMode="numeric"
          value={texts[field]}
          onChange={(text) => setTexts((before) => ({ ...before, [field]: text }))}
          error={shown.find((issue) => issue.field === field)?.message ?? null}
          helper={helpers[field]}
        />
      ))}
      <ErrorSummary
        title={saving.failure ?? (shown.length > 0 ? t('Please correct the errors shown.') : null)}
        issues={shown.map(({ field, message }) => ({ fieldId: fieldId(field), message }))}
        attempt={attempt}
      />
      <EditConflict edit={edit} isSaving={saving.isSaving} />
      <div className="rs-form-actions">
        <SubmitButton text={t('Update')} loading={saving.isSaving} />
        {exists && <Button text={t('Delete')} intent="danger" variant="outlined" onClick={() => setAsking(true)} />}
      </div>
      <DeleteDialog isOpen={isAsking} onCancel={() => setAsking(false)} onConfirm={remove}>
        {t('Retain the runs of {name} forever?', { name })}
      </DeleteDialog>
    </form>
  );
}

function mapFields<T>(valueOf: (field: RetentionField) => T): Record<RetentionField, T> {
  return Object.fromEntries(RETENTION_FIELDS.map((field) => [field, valueOf(field)])) as Record<RetentionField, T>;
}
