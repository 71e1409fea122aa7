import { useState, type FormEvent } from 'react';
import { rightNameIssue } from '#shared/contract/rights.ts';
import { otherEditOf, toFailure } from '#renderer/api/app-failure.ts';
import { useSessionDraft } from '#renderer/app/use-session-draft.ts';
import { t } from '#renderer/language/translate.ts';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
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
  opened: Opened<RightFields>;
  /** The right as it is stored now; absent for a new one. */
  read?: () => Promise<Opened<RightFields>>;
  /** Throws the server's refusal. */
  save: (fields: RightFields, Revision: number | null) => Promise<void>;
}

export function RightForm({ opened, read = async () => opened, save }: RightFormProps) {
  const edit = useEdited(opened, read);
  const { fields, setFields } = edit;
  const isNew = opened.revision === null;
  const [issue, setIssue] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const isUnsaved = !isSaving && edit.isChanged;
  const key = isNew ? 'right.new' : `right.of.${opened.fields.Name}`;
  useSessionDraft(key, isUnsaved ? edit.draft : null, edit.restore);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAttempt(attempt + 1);
    const found = isNew ? rightNameIssue(fields.Name.trim()) : null;
    setIssue(found);
    if (found !== null) return;
    setSaving(true);
    try {
      const { Name, Description } = fields;
      await edit.save((Revision) => save({ Name: Name.trim(), Description }, Revision));
    } catch (error) {
      // EditConflict shows the change of another person.
      setIssue(otherEditOf(error) ? null : toFailure(error).message);
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
        <EditConflict edit={edit} isSaving={isSaving} />
        <div className="rs-form-actions">
          <SubmitButton text={isNew ? t('Create right') : t('Update right')} loading={isSaving} />
        </div>
      </form>
      <LeaveWarning isUnsaved={isUnsaved} />
    </Card>
  );
}
