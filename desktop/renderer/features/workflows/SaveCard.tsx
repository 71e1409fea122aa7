import { Button, Callout } from '@blueprintjs/core';
import { useGoBack } from '#renderer/features/runs/use-go-back.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import type { SaveWorkflow } from './use-save-workflow.ts';

const DESCRIPTION_MAX = 1000;

interface SaveCardProps {
  saving: SaveWorkflow;
  /** The one that is edited. */
  version: number;
  isUnsaved: boolean;
  onSave: () => void;
  onSaveOverNewer: () => void;
  onReload: () => void;
}

/** Saves as the next version, says why it was refused, and what to do where somebody else was faster. */
export function SaveCard({ saving, version, isUnsaved, onSave, onSaveOverNewer, onReload }: SaveCardProps) {
  const { newer, failure, attempt, isSaving } = saving;
  const goBack = useGoBack();
  return (
    <Card title={`Save as version ${(newer?.NewestVersion ?? version) + 1}`}>
      <TextField
        label="Change Description"
        labelInfo="optional"
        value={saving.description}
        maxLength={DESCRIPTION_MAX}
        onChange={saving.setDescription}
      />
      <ErrorSummary title={failure} attempt={attempt} />
      {newer && (
        <Callout compact intent="warning" className="rs-workflow-conflict">
          <p>
            Version {newer.Version} was saved by {newer.UserFullName} <DateText value={newer.Modified} />
            {newer.ChangeDescription !== '' && `: ${newer.ChangeDescription}`}. What you see here is yours, and not
            saved.
          </p>
          <ServerButton
            text={`Save mine as version ${newer.Version + 1}`}
            loading={isSaving}
            onClick={onSaveOverNewer}
          />{' '}
          <Button text={`Drop mine and open version ${newer.Version}`} disabled={isSaving} onClick={onReload} />
        </Callout>
      )}
      <div className="rs-form-actions">
        <ServerButton intent="primary" text="Save workflow" disabled={!isUnsaved} loading={isSaving} onClick={onSave} />
        <Button text="Back" onClick={goBack} />
        {!isUnsaved && <span className="rs-muted">Version {version}, with no changes</span>}
      </div>
    </Card>
  );
}
