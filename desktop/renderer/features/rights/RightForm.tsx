import { useState, type FormEvent } from 'react';
import { rightNameIssue } from '#shared/contract/rights.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { useSessionDraft } from '#renderer/app/use-session-draft.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';

export interface RightFields {
  Name: string;
  Description: string;
}

interface RightFormProps {
  initial: RightFields;
  isNew: boolean;
  /** Throws the server's refusal. */
  save: (fields: RightFields) => Promise<void>;
}

export function RightForm({ initial, isNew, save }: RightFormProps) {
  const [fields, setFields] = useState(initial);
  const [issue, setIssue] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const isUnsaved = !isSaving && JSON.stringify(fields) !== JSON.stringify(initial);
  useSessionDraft(isNew ? 'right.new' : `right.of.${initial.Name}`, isUnsaved ? fields : null, setFields);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAttempt(attempt + 1);
    const found = isNew ? rightNameIssue(fields.Name.trim()) : null;
    setIssue(found);
    if (found !== null) return;
    setSaving(true);
    try {
      await save({ Name: fields.Name.trim(), Description: fields.Description });
    } catch (error) {
      setIssue(toFailure(error).message);
      setSaving(false);
    }
  };
  return (
    <Card>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <ErrorSummary title={issue} attempt={attempt} />
        <TextField
          label={t('Name')}
          labelInfo={isNew ? t('(Required)') : undefined}
          value={fields.Name}
          readOnly={!isNew}
          maxLength={60}
          onChange={(Name) => setFields((before) => ({ ...before, Name }))}
          helper={t('Workbooks name it in the HasAccess column of their inputs')}
        />
        <TextField
          label={t('Description')}
          value={fields.Description}
          maxLength={200}
          onChange={(Description) => setFields((before) => ({ ...before, Description }))}
        />
        <div className="rs-form-actions">
          <SubmitButton text={isNew ? t('Create right') : t('Update right')} loading={isSaving} />
        </div>
      </form>
      <LeaveWarning isUnsaved={isUnsaved} />
    </Card>
  );
}
