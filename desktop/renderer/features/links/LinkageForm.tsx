import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { activityDetails, type Activity } from '#shared/contract/activities.ts';
import { linkDetails, writeLink, type EditedLink, type WriteLinkBody } from '#shared/contract/links.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { LINK_NAME_MAX, linkNameIssue } from '#shared/rules/link-rules.ts';
import { otherEditOf, toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { createSender } from '#renderer/api/create-sender.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { useSessionDraft } from '#renderer/app/use-session-draft.ts';
import { useGoBack } from '#renderer/ui/use-go-back.ts';
import { said, t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import { draftFrom, type Opened } from '#renderer/ui/edit/send-edit.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import {
  draftsOf,
  restoreDrafts,
  linkableInputs,
  linkInfoOf,
  sourcesOf,
  type MappingDraft,
  type MappingDrafts,
} from './link-draft.ts';
import { MappingRow } from './MappingRow.tsx';
import './links.css';

interface LinkageFormProps {
  source: Activity;
  target: Activity;
  /** Null for a new link. */
  link: EditedLink | null;
}

interface LinkFields {
  Name: string;
  drafts: MappingDrafts;
}

interface Saving {
  isAsking: boolean;
  isSaving: boolean;
  failure: string | null;
}

const IDLE: Saving = { isAsking: false, isSaving: false, failure: null };

const createLink = () =>
  createSender<WriteLinkBody, { Id: number }>({
    create: (body, headers) => call(writeLink, { body, headers }),
    change: ({ Id }, body) => call(writeLink, { body: { ...body, Id } }),
  });

/** State of the form: the typed values and the save progress. */
function useLinkage({ source, target, link }: LinkageFormProps, inputs: readonly Input[]) {
  const [id, setId] = useState(link?.Id ?? 0);
  const openedOf = (stored: EditedLink | null): Opened<LinkFields> => ({
    fields: { Name: stored?.Name ?? '', drafts: draftsOf(inputs, stored) },
    revision: stored?.Revision ?? null,
  });
  const [opened] = useState(() => openedOf(link));
  const edit = useEdited(opened, async () => openedOf(await call(linkDetails, { params: { linkId: id } })));
  const { Name, drafts } = edit.fields;
  const [saving, setSaving] = useState<Saving>(IDLE);
  const [create] = useState(createLink);
  const navigate = useNavigateWhileHere();
  const LinkInfo = linkInfoOf(inputs, source.Outputs, drafts);
  const isUnsaved = edit.isChanged;

  useSessionDraft(`link.${link?.Id ?? 0}.${source.Id}.${target.Id}`, isUnsaved ? edit.draft : null, (stored) => {
    const { mine, opened: from } = draftFrom(stored, opened);
    // Only mappings that still fit.
    edit.restore({ mine: { ...mine, drafts: restoreDrafts(opened.fields.drafts, mine.drafts) }, opened: from });
  });

  const save = async (): Promise<void> => {
    setSaving({ isAsking: true, isSaving: true, failure: null });
    try {
      const body = { Id: id, ActivityId: source.Id, LinkedActivityId: target.Id, LinkInfo, Name };
      await edit.save(async (Revision) => {
        const { Id } = await (id === 0 ? create(body) : call(writeLink, { body: { ...body, Revision } }));
        setId(Id);
        if (id === 0) void navigate(`/activities/linkage/edit/${Id}`, { replace: true });
      });
      for (const endpoint of [activityDetails, linkDetails]) {
        void queryClient.invalidateQueries({ queryKey: keyOf(endpoint), refetchType: 'none' });
      }
      showSuccess(t('Saved'));
      setSaving(IDLE);
    } catch (error) {
      setSaving({ ...IDLE, failure: otherEditOf(error) ? null : toFailure(error).message });
    }
  };
  const change = (inputId: number, part: Partial<MappingDraft>): void =>
    edit.setFields((before) => ({
      ...before,
      drafts: { ...before.drafts, [inputId]: { ...before.drafts[inputId]!, ...part } },
    }));
  const setName = (typed: string): void => edit.setFields((before) => ({ ...before, Name: typed }));
  return { Name, setName, drafts, change, edit, isUnsaved, saving, setSaving, save };
}

/** Form for the name and mappings of a link. */
export function LinkageForm(props: LinkageFormProps) {
  const { source, target } = props;
  const inputs = linkableInputs(target);
  const { Name, setName, drafts, change, edit, isUnsaved, saving, setSaving, save } = useLinkage(props, inputs);
  const [showErrors, setShowErrors] = useState(false);
  const goBack = useGoBack();
  const issue = linkNameIssue(Name);
  const ask = (): void => {
    setShowErrors(true);
    if (issue === null) setSaving({ ...IDLE, isAsking: true });
  };

  return (
    <form
      aria-label={t('Linkage')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <LeaveWarning isUnsaved={isUnsaved && !saving.isSaving} />
      <Card>
        <TextField
          label={t('Name')}
          labelInfo={t('(Required)')}
          required
          value={Name}
          maxLength={LINK_NAME_MAX}
          onChange={setName}
          error={showErrors && issue !== null ? t('Error: {issue}', { issue: said(issue) }) : null}
        />
      </Card>
      <Card title={t('Inputs of {name}', { name: target.Name })}>
        {inputs.length === 0 && <p className="rs-muted">{t('It has no inputs that a linkage can fill.')}</p>}
        {inputs.map((input) => (
          <MappingRow
            key={input.Id}
            input={input}
            sources={sourcesOf(input, source.Outputs)}
            draft={drafts[input.Id]!}
            onChange={(part) => change(input.Id, part)}
          />
        ))}
      </Card>
      {saving.failure !== null && (
        <p className="rs-danger-text" role="alert">
          {t('Not Saved {failure}', { failure: said(saving.failure) })}
        </p>
      )}
      <EditConflict edit={edit} isSaving={saving.isSaving} />
      <div className="rs-form-actions">
        <SubmitButton text={t('SAVE')} />
        <Button text={t('BACK')} onClick={goBack} />
      </div>
      <ConfirmDialog
        isOpen={saving.isAsking}
        title={t('Save')}
        confirmText={t('Submit')}
        isBusy={saving.isSaving}
        onCancel={() => setSaving({ ...saving, isAsking: false })}
        onConfirm={() => void save()}
      >
        {t('Save linkage?')}
      </ConfirmDialog>
    </form>
  );
}
