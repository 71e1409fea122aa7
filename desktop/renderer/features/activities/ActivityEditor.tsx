import { Button, HTMLSelect } from '@blueprintjs/core';
import { useEffect, useState, type ComponentType, type FormEvent } from 'react';
import type { ActivityType } from '#shared/contract/activities.ts';
import type { WorkbookRegion } from '#shared/contract/workbook-region.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { usePutAside } from '#renderer/app/use-put-aside.ts';
import { EditedProcedure } from '#renderer/features/procedures/EditedProcedure.tsx';
import { ProcedurePart } from '#renderer/features/procedures/ProcedurePart.tsx';
import { fileSizeText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { Progress } from '#renderer/ui/states.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { ActivityFields } from './ActivityFields.tsx';
import {
  hasOtherSettings,
  isUnsaved,
  submitIssues,
  withFile,
  withProposals,
  type EditorFields,
} from './editor-fields.ts';
import { ChangedWorkbook } from './ChangedWorkbook.tsx';
import type { NewWorkbookProps } from './new/NewWorkbook.tsx';
import { UploadFindings } from './UploadFindings.tsx';
import { useActivities } from './use-activities.ts';
import { isOutdated, uploadFindings, useSaveActivity, type Saved } from './use-save-activity.ts';
import './editor.css';

interface ActivityEditorProps {
  /** 0 for a new activity. */
  id: number;
  version: number;
  initial: EditorFields;
  schemas: readonly string[];
  /** The file of a new activity; whoever edits one has no use for its code. */
  NewWorkbook?: ComponentType<NewWorkbookProps>;
  /** Of the workbook that is stored. */
  region?: WorkbookRegion | undefined;
  /** Something else on the page is not saved yet. */
  isElseUnsaved?: boolean;
  /** A new version was made on this page, without leaving it. */
  onUpdated?: () => void;
}

const FORM_ID = 'activity-editor';

/** The form of a new or an existing activity. */
export function ActivityEditor(props: ActivityEditorProps) {
  const { id, version, initial: opened, schemas, NewWorkbook, isElseUnsaved = false } = props;
  const [initial, setInitial] = useState(opened);
  const [fields, setFields] = useState(initial);
  const [attempt, setAttempt] = useState(0);
  const [issues, setIssues] = useState<string[]>([]);
  const [saved, setSaved] = useState<Saved | null>(null);
  const saving = useSaveActivity(id);
  const list = useActivities().data;
  const navigate = useNavigateWhileHere();
  const isEditing = id !== 0;
  const isNewWorkbook = !isEditing && fields.Type === 'Workbook';
  const findings = uploadFindings(saving.failure);
  const write = (change: Partial<EditorFields>): void => setFields((before) => ({ ...before, ...change }));

  const hasEdits = saved === null && isUnsaved(initial, fields);
  usePutAside(`activity.${id}`, hasEdits ? { ...fields, ...withFile(null) } : null, write);

  useEffect(() => {
    // Only after the state is drawn, so that the leave warning no longer stands in the way.
    if (!saved) return;
    showSuccess(saved.message);
    const state = saved.uploaded === null ? undefined : { uploaded: saved.uploaded };
    void navigate('/activities/', { replace: true, state });
  }, [saved, navigate]);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAttempt(attempt + 1);
    const found = submitIssues(id, fields);
    setIssues(found);
    if (found.length > 0) return;
    const result = await saving.save(initial, fields);
    if (result instanceof AppFailure) {
      setAttempt((count) => count + 1);
      // Saved once more, it replaces what somebody else has changed meanwhile.
      if (isOutdated(result)) write({ Revision: null });
      // A refused file is cleared, unless it may be sent again with functions accepted.
      else if (!uploadFindings(result).Unsupported?.length) write({ file: null, region: '' });
    } else if (result) setSaved(result);
  };

  return (
    // What holds the line to save by, which stays in sight: else the button would move away while a file's findings come in above it.
    <div>
      <LeaveWarning isUnsaved={isElseUnsaved || hasEdits} />
      {isNewWorkbook && NewWorkbook && (
        <NewWorkbook
          fields={fields}
          write={write}
          propose={(proposals, former) => setFields((before) => withProposals(before, proposals, former))}
          isDisabled={saving.isSaving}
          isRefused={(findings.Unsupported?.length ?? 0) > 0}
        />
      )}
      <Card>
        <form id={FORM_ID} onSubmit={(event) => void submit(event)} noValidate>
          <ActivityFields
            fields={fields}
            write={write}
            isEditing={isEditing}
            schemas={schemas}
            groups={list?.Groups ?? []}
            functions={list?.Functions ?? []}
            showErrors={attempt > 0}
          />
          {!isEditing && <TypeField type={fields.Type} onChange={(Type) => write({ Type })} />}
          {isNewWorkbook ? null : fields.Type === 'Workbook' ? (
            <ChangedWorkbook
              fields={fields}
              write={write}
              stored={{ id, version, region: props.region }}
              isDisabled={saving.isSaving}
            />
          ) : (
            <ProcedureFields
              id={id}
              fields={fields}
              write={write}
              error={attempt > 0 && fields.ProcedureName === '' ? t('Select stored procedure') : null}
              onUpdated={(changed) => {
                write(changed);
                setInitial((before) => ({ ...before, ...changed }));
                props.onUpdated?.();
              }}
            />
          )}
          {isEditing && (fields.file || hasOtherSettings(initial, fields)) && (
            <ChangeDescription fields={fields} write={write} />
          )}
          <ErrorSummary {...summaryOf(issues, saving.failure)} attempt={attempt} />
          <UploadFindings {...findings} accepted={fields.accepted} onAccept={(accepted) => write({ accepted })} />
        </form>
      </Card>
      <SaveLine saving={saving} text={isEditing ? t('Update Activity') : t('Create Activity')} />
    </div>
  );
}

/** The first issue on top, as it is specified, and the others under it. */
function summaryOf([first, ...others]: readonly string[], failure: AppFailure | null) {
  return { title: first ?? failure?.message ?? null, issues: others.map((message) => ({ message })) };
}

/** Why there is a new version. */
function ChangeDescription({ fields, write }: Pick<ProcedureFieldsProps, 'fields' | 'write'>) {
  return (
    <TextField
      id="change-description"
      label={t('Change Description')}
      required={fields.file !== null}
      value={fields.ChangeDescription}
      maxLength={1000}
      onChange={(text) => write({ ChangeDescription: text })}
    />
  );
}

/** Both of an activity that was opened on this page, and of what its procedure was updated to since. */
type Updated = Pick<EditorFields, 'Revision' | 'Procedure'>;

interface ProcedureFieldsProps {
  id: number;
  fields: EditorFields;
  write: (change: Partial<EditorFields>) => void;
  error: string | null;
  onUpdated: (changed: Updated) => void;
}

function ProcedureFields({ id, fields, write, error, onUpdated }: ProcedureFieldsProps) {
  const { ProcedureName, Procedure, Revision } = fields;
  if (id === 0)
    return <ProcedurePart procedureName={ProcedureName} settings={Procedure} error={error} onChange={write} />;
  if (Procedure === null) return null;
  return (
    <EditedProcedure
      id={id}
      procedureName={ProcedureName}
      settings={Procedure}
      revision={Revision}
      onChange={(settings) => write({ Procedure: settings })}
      onUpdated={(activity) => onUpdated({ Revision: activity.Revision, Procedure: activity.Procedure ?? null })}
    />
  );
}

const TYPES: { value: ActivityType; label: string }[] = [
  { value: 'Workbook', label: t('Workbook') },
  { value: 'StoredProcedure', label: t('Stored procedure') },
];

function TypeField({ type, onChange }: { type: ActivityType; onChange: (type: ActivityType) => void }) {
  return (
    <FormField label={t('Type')}>
      {({ intent: _intent, ...field }) => (
        <HTMLSelect
          {...field}
          value={type}
          options={TYPES}
          onChange={(event) => onChange(event.currentTarget.value as ActivityType)}
        />
      )}
    </FormField>
  );
}

function SaveLine({ saving, text }: { saving: ReturnType<typeof useSaveActivity>; text: string }) {
  const { isSaving, progress, cancel } = saving;
  const isSent = progress !== null && progress.sent >= progress.total;
  return (
    <div className="rs-sticky-actions">
      {progress && (
        <Progress
          label={t('Upload')}
          share={isSent ? null : progress.sent / progress.total}
          text={
            isSent
              ? t('Reading and checking the workbook')
              : t('{sent} of {total}', { sent: fileSizeText(progress.sent), total: fileSizeText(progress.total) })
          }
        />
      )}
      <div className="rs-form-actions">
        <SubmitButton form={FORM_ID} text={text} loading={isSaving} />
        {progress && <Button text={t('Cancel')} onClick={cancel} />}
      </div>
    </div>
  );
}
