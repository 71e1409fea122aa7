import { HTMLSelect } from '@blueprintjs/core';
import { useCallback, useEffect, useRef, useState, type ComponentType, type FormEvent } from 'react';
import type { ActivityType } from '#shared/contract/activities.ts';
import type { WorkbookRegion } from '#shared/contract/workbook-region.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import type { AppFailure } from '#renderer/api/app-failure.ts';
import { useSessionDraft } from '#renderer/app/use-session-draft.ts';
import { EditedProcedure } from '#renderer/features/procedures/EditedProcedure.tsx';
import { ProcedurePart } from '#renderer/features/procedures/ProcedurePart.tsx';
import { downloadVersionFile } from '#renderer/features/versions/version-columns.tsx';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { ActivityFields } from './ActivityFields.tsx';
import type { DesignStatus } from '#renderer/features/activities/designer/design-status.ts';
import type { DesignOpening } from '#renderer/features/activities/designer/use-open-design.ts';
import { EditedWorkbook } from './EditedWorkbook.tsx';
import {
  hasOtherSettings,
  hasWorkbook,
  isUnsaved,
  withFile,
  withProposals,
  type EditorFields,
} from './editor-fields.ts';
import { ReturnToWorkbook } from './ReturnToWorkbook.tsx';
import type { NewWorkbookProps } from '#renderer/features/activities/new/NewWorkbook.tsx';
import { SaveLine } from './SaveLine.tsx';
import { UploadFindings } from '#renderer/features/activities/upload/UploadFindings.tsx';
import { useActivities } from '#renderer/features/activities/use-activities.ts';
import { useDesignInAddress } from './use-design-address.ts';
import { uploadFindings, type Saved, type useSaveActivity } from './use-save-activity.ts';
import { useSubmitActivity } from './use-submit-activity.ts';
import { useWorkbookChoice } from './use-workbook-choice.ts';
import './editor.css';

type Proposals = InspectedWorkbook['Proposals'];

// Loaded on demand: few people who edit an activity change its workbook's inputs.
const DesignCard = lazyPart(
  async () => (await import('#renderer/features/activities/designer/DesignCard.tsx')).DesignCard,
  <Card>
    <Skeleton kind="grid" />
  </Card>,
);

interface ActivityEditorProps {
  /** 0 for a new activity. */
  id: number;
  version: number;
  initial: EditorFields;
  schemas: readonly string[];
  /**
   * The workbook part for a new activity. Pages that edit an existing activity omit it, so they do not load its code.
   */
  NewWorkbook?: ComponentType<NewWorkbookProps>;
  /** The region of the stored workbook. */
  region?: WorkbookRegion | undefined;
  /** True if something else on the page is unsaved. */
  isElseUnsaved?: boolean;
  /** Called when a new version was created without leaving this page. */
  onUpdated?: () => void;
}

const FORM_ID = 'activity-editor';

/** Form of a new or an existing activity. */
export function ActivityEditor(props: ActivityEditorProps) {
  const { id, initial: opened, NewWorkbook, isElseUnsaved = false } = props;
  const [initial, setInitial] = useState(opened);
  const [fields, setFields] = useState(initial);
  const [design, setDesign] = useState<DesignStatus | null>(null);
  const isEditing = id !== 0;
  const isNewWorkbook = !isEditing && fields.Type === 'Workbook';
  const write = (change: Partial<EditorFields>): void => setFields((before) => ({ ...before, ...change }));
  const { saving, attempt, issues, saved, refusals, submit, isChecking } = useSubmitActivity({
    id,
    initial,
    fields,
    write,
    design,
  });
  const findings = uploadFindings(saving.failure);
  const choice = useWorkbookChoice({ id, fields, write, design });
  const { opening } = choice;
  const propose = useProposing(setFields);
  useDesignInAddress(fields.designId);

  const hasEdits = saved === null && isUnsaved(initial, fields);
  useSessionDraft(`activity.${id}`, hasEdits ? { ...fields, ...withFile(null) } : null, write);
  useLeaveWhenSaved(saved);

  const designPart = {
    fields,
    write,
    propose: isEditing ? NOTHING : propose,
    onStatus: setDesign,
    isRefused: (findings.Unsupported?.length ?? 0) > 0,
    refusals,
    onLeave: choice.leave,
    onDeleted: choice.forget,
  };

  return (
    // This wrapper bounds the sticky save line. Without it, the button would move away when findings about a file
    // appear above it.
    <div>
      <LeaveWarning isUnsaved={isElseUnsaved || hasEdits || (saved === null && (design?.isUnsaved ?? false))} />
      {/* The page of a new activity lists unfinished workbooks beside the file to choose. */}
      {(isEditing || fields.designId !== null) && <ReturnToWorkbook choice={choice} />}
      {isNewWorkbook && NewWorkbook && (
        <NewWorkbook
          {...designPart}
          opening={opening}
          onChoose={choice.chooseFile}
          onExample={choice.openExample}
          onContinue={choice.resume}
          isDisabled={saving.isSaving}
        />
      )}
      {isEditing && fields.designId !== null && (
        <DesignCard {...designPart} id={fields.designId} file={fields.file} startsEditing={fields.file === null} />
      )}
      <EditorForm
        {...props}
        fields={fields}
        initial={initial}
        write={write}
        saving={saving}
        attempt={attempt}
        issues={issues}
        opening={opening}
        onSubmit={(event) => void submit(event)}
        onChoose={choice.chooseFile}
        onProcedure={(changed) => {
          write(changed);
          setInitial((before) => ({ ...before, ...changed }));
          props.onUpdated?.();
        }}
      />
      <SaveLine
        form={FORM_ID}
        saving={saving}
        text={isEditing ? t('Update Activity') : t('Create Activity')}
        isBusy={isChecking}
        reason={whyNotYet(fields, opening.isOpening, design)}
      />
    </div>
  );
}

interface EditorFormProps extends Pick<ActivityEditorProps, 'id' | 'version' | 'schemas' | 'region'> {
  fields: EditorFields;
  initial: EditorFields;
  write: (change: Partial<EditorFields>) => void;
  saving: ReturnType<typeof useSaveActivity>;
  attempt: number;
  issues: readonly string[];
  opening: DesignOpening;
  onSubmit: (event: FormEvent) => void;
  /** Called with null to choose the workbook in use. */
  onChoose: (file: File | null) => void;
  onProcedure: (changed: Updated) => void;
}

/** The form fields of an activity. */
function EditorForm(props: EditorFormProps) {
  const { id, version, schemas, fields, initial, write, saving, attempt, issues, opening } = props;
  const { onSubmit, onChoose, onProcedure } = props;
  const list = useActivities().data;
  const isEditing = id !== 0;
  const isNewWorkbook = !isEditing && fields.Type === 'Workbook';
  const findings = uploadFindings(saving.failure);
  return (
    <Card>
      <form id={FORM_ID} onSubmit={onSubmit} noValidate>
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
          <EditedWorkbook
            fields={fields}
            write={write}
            region={props.region}
            opening={opening}
            isDisabled={saving.isSaving || opening.isOpening}
            onChoose={onChoose}
            onDownload={() => void downloadVersionFile(id, version)}
          />
        ) : (
          <ProcedureFields
            id={id}
            fields={fields}
            write={write}
            error={attempt > 0 && fields.ProcedureName === '' ? t('Select stored procedure') : null}
            onUpdated={onProcedure}
          />
        )}
        {isEditing && (hasWorkbook(fields) || hasOtherSettings(initial, fields)) && (
          <ChangeDescription fields={fields} write={write} />
        )}
        <ErrorSummary {...summaryOf(issues, saving.failure)} attempt={attempt} />
        <UploadFindings {...findings} accepted={fields.accepted} onAccept={(accepted) => write({ accepted })} />
      </form>
    </Card>
  );
}

const NOTHING = (): void => undefined;

/**
 * Returns a callback that fills fields with a workbook's proposals. It fills fields in which nothing was typed, and
 * replaces the proposals of the previous workbook.
 */
function useProposing(setFields: (change: (before: EditorFields) => EditorFields) => void) {
  const former = useRef<Proposals | null>(null);
  return useCallback(
    (proposals: Proposals): void => {
      const replaced = former.current;
      former.current = proposals;
      setFields((before) => withProposals(before, proposals, replaced));
    },
    [setFields],
  );
}

function useLeaveWhenSaved(saved: Saved | null): void {
  const navigate = useNavigateWhileHere();
  useEffect(() => {
    // Navigate only after the saved state is rendered, because the leave warning would block it before.
    if (!saved) return;
    showSuccess(saved.message);
    const state = saved.uploaded === null ? undefined : { uploaded: saved.uploaded };
    void navigate('/activities/', { replace: true, state });
  }, [saved, navigate]);
}

/** Returns why saving is not possible yet; null if it is. */
function whyNotYet({ designId }: EditorFields, isOpening: boolean, design: DesignStatus | null): string | null {
  if (isOpening || (designId !== null && !design)) return t('The workbook is still being opened');
  return designId !== null && !design?.isMarked ? t('Mark an input or an output first') : null;
}

/** Shows the first issue as the title, as specified, and the other issues below it. */
function summaryOf([first, ...others]: readonly string[], failure: AppFailure | null) {
  return { title: first ?? failure?.message ?? null, issues: others.map((message) => ({ message })) };
}

/** The reason for the new version. */
function ChangeDescription({ fields, write }: Pick<ProcedureFieldsProps, 'fields' | 'write'>) {
  return (
    <TextField
      id="change-description"
      label={t('Change Description')}
      required={hasWorkbook(fields)}
      value={fields.ChangeDescription}
      maxLength={1000}
      onChange={(text) => write({ ChangeDescription: text })}
    />
  );
}

/** Revision and procedure settings of the activity, as opened on this page or as updated since. */
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
