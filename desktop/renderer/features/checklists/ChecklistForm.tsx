import { Button, Callout } from '@blueprintjs/core';
import { Lock } from '@blueprintjs/icons';
import { useCallback, useEffect, useMemo, useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { checklistDetails, saveChecklist } from '#shared/contract/checklists.ts';
import { EDITED_AS_WORKFLOW } from '#shared/rules/checklist-rules.ts';
import { otherEditOf, toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { useSessionDraft } from '#renderer/app/use-session-draft.ts';
import { refreshActivities, useActivities } from '#renderer/features/activities/use-activities.ts';
import { useGoBack } from '#renderer/ui/use-go-back.ts';
import { createUniqueId } from '#renderer/api/unique-id.ts';
import { said, t } from '#renderer/language/translate.ts';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { AddActivity } from './AddActivity.tsx';
import { workflowPath } from './checklist-menu.tsx';
import {
  draftIssues,
  draftOf,
  inputRows,
  toEdit,
  withActivity,
  withoutActivity,
  type ChecklistDraft,
  type DraftInput,
} from './checklist-draft.ts';
import { ChecklistFields, fieldId } from './ChecklistFields.tsx';
import { ChosenActivities } from './ChosenActivities.tsx';
import { MappingGrid } from './MappingGrid.tsx';
import './checklists.css';

export interface ChecklistFormProps {
  /** 0 for a new checklist. */
  id: number;
  /** Revision of the checklist when it was opened. */
  revision: number | null;
  initial: ChecklistDraft;
  /** Schemas that a new checklist can be assigned to. */
  schemas: readonly string[];
  /** True if the checklist is edited as a workflow, so it can no longer be changed here. */
  isLocked: boolean;
}

/** Name and position of a checklist, its activities, and the names of its inputs. */
export function ChecklistForm(props: ChecklistFormProps) {
  const { id, schemas, isLocked } = props;
  const form = useChecklistForm(props);
  const { draft, setDraft, write, issues, attempt, submit, failure, isSaving, isUnsaved } = form;
  const list = useActivities().data;
  const goBack = useGoBack();
  const rows = useMemo(() => inputRows(draft), [draft]);
  const names = useMemo(() => new Map(draft.activities.map(({ Id, Name }) => [Id, Name])), [draft.activities]);
  const changeInputs = useCallback(
    (change: (inputs: readonly DraftInput[]) => readonly DraftInput[]) =>
      setDraft((before) => ({ ...before, inputs: change(before.inputs) })),
    [setDraft],
  );
  return (
    <form onSubmit={submit} noValidate aria-label={t('Checklist')}>
      <LeaveWarning isUnsaved={isUnsaved} />
      {isLocked && (
        <Callout compact intent="warning" icon={<Lock />} className="rs-form-notice">
          {said(EDITED_AS_WORKFLOW)} <Link to={workflowPath(id)}>{t('Edit workflow')}</Link>
        </Callout>
      )}
      <Card>
        <ChecklistFields
          draft={draft}
          write={write}
          schemas={schemas}
          groups={list?.Groups ?? []}
          isNew={id === 0}
          isLocked={isLocked}
          issues={issues}
        />
      </Card>
      <Card title={t('Activities')}>
        <ChosenActivities
          activities={draft.activities}
          isLocked={isLocked}
          onReorder={(activities) => write({ activities })}
          onRemove={(removed) => setDraft((before) => withoutActivity(before, removed))}
        />
        {!isLocked && (
          <AddActivity
            chosen={draft.activities}
            onAdd={(activity, { Inputs }) => setDraft((before) => withActivity(before, activity, Inputs))}
          />
        )}
      </Card>
      {draft.activities.length > 0 && (
        <Card title={t('Inputs')}>
          {rows.length === 0 ? (
            <p className="rs-muted">{t('The activities have no inputs to fill in.')}</p>
          ) : (
            <MappingGrid inputs={rows} activityNames={names} isLocked={isLocked} onChange={changeInputs} />
          )}
        </Card>
      )}
      <ErrorSummary
        title={failure ?? (issues.length > 0 ? t('Please correct the errors shown.') : null)}
        issues={issues.map(({ field, message }) => ({ fieldId: fieldId(field), message }))}
        attempt={attempt}
      />
      <EditConflict edit={form.edit} isSaving={isSaving} />
      <div className="rs-form-actions">
        {!isLocked && (
          <SubmitButton text={id === 0 ? t('Create checklist') : t('Update checklist')} loading={isSaving} />
        )}
        <Button text={t('Back')} onClick={goBack} />
      </div>
    </form>
  );
}

type Saving = { state: 'idle' | 'saving' | 'saved'; failure: string | null };

/** Reads a checklist that somebody else has changed. */
async function readChecklist(id: number): Promise<Opened<ChecklistDraft>> {
  const checklist = await call(checklistDetails, { params: { id } });
  return { fields: draftOf(checklist), revision: checklist.Revision };
}

/** State of the form: the draft, and the save progress. */
function useChecklistForm({ id, revision, initial, isLocked }: ChecklistFormProps) {
  const edit = useEdited({ fields: initial, revision }, () => readChecklist(id));
  const { fields: draft, setFields: setDraft } = edit;
  const [attempt, setAttempt] = useState(0);
  const [saving, setSaving] = useState<Saving>({ state: 'idle', failure: null });
  const [UniqueId] = useState(createUniqueId);
  const navigate = useNavigate();
  const isSaved = saving.state === 'saved';
  const isUnsaved = edit.isChanged && !isSaved && !isLocked;
  useSessionDraft(`checklist.${id}`, isUnsaved ? edit.draft : null, edit.restore);
  useEffect(() => {
    // Navigate only after the saved state is rendered, because the leave warning would block it before.
    if (isSaved) void navigate('/activities/', { replace: true });
  }, [isSaved, navigate]);

  const issues = attempt > 0 ? draftIssues(draft) : [];
  const save = async (): Promise<void> => {
    setSaving({ state: 'saving', failure: null });
    try {
      await edit.save(async (Revision) => {
        await call(saveChecklist, {
          body: toEdit({ Id: id, Revision, UniqueId: id === 0 ? UniqueId : null }, draft),
        });
        refreshActivities();
        void queryClient.invalidateQueries({ queryKey: keyOf(checklistDetails), refetchType: 'none' });
        showSuccess(id === 0 ? t('Checklist created') : t('Checklist updated'));
        setSaving({ state: 'saved', failure: null });
      });
    } catch (error) {
      setSaving({ state: 'idle', failure: otherEditOf(error) ? null : toFailure(error).message });
      setAttempt((count) => count + 1);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (saving.state !== 'idle' || isLocked) return;
    setAttempt(attempt + 1);
    if (draftIssues(draft).length === 0) void save();
    else setSaving({ state: 'idle', failure: null });
  };
  return {
    draft,
    setDraft,
    edit,
    write: (change: Partial<ChecklistDraft>) => setDraft((before) => ({ ...before, ...change })),
    issues,
    attempt,
    submit,
    failure: saving.failure,
    isSaving: saving.state === 'saving',
    isUnsaved,
  };
}
