import { Button, Callout } from '@blueprintjs/core';
import { useGoBack } from '#renderer/ui/use-go-back.ts';
import { changeText } from '#renderer/features/versions/change-description.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import type { SaveWorkflow } from './use-save-workflow.ts';

const DESCRIPTION_MAX = 1000;

interface SaveCardProps {
  saving: SaveWorkflow;
  /** The version that is being edited. */
  version: number;
  isUnsaved: boolean;
  onSave: () => void;
  onSaveOverNewer: () => void;
  onReload: () => void;
}

/**
 * Saves as the next version. It shows why saving was refused, and what to do if someone else has saved a version in the
 * meantime.
 */
export function SaveCard({ saving, version, isUnsaved, onSave, onSaveOverNewer, onReload }: SaveCardProps) {
  const { newer, failure, attempt, isSaving } = saving;
  const goBack = useGoBack();
  return (
    <Card title={t('Save as version {value}', { value: (newer?.NewestVersion ?? version) + 1 })}>
      <TextField
        label={t('Change Description')}
        labelInfo={t('optional')}
        value={saving.description}
        maxLength={DESCRIPTION_MAX}
        onChange={saving.setDescription}
      />
      <ErrorSummary title={failure} attempt={attempt} />
      {newer && (
        <Callout compact intent="warning" className="rs-workflow-conflict">
          <p>
            {rich(
              'Version {version} was saved by {userFullName} {modified}{changeDescription}. Your changes here are not saved yet.',
              {
                version: newer.Version,
                userFullName: newer.UserFullName,
                modified: <DateText value={newer.Modified} />,
                changeDescription: newer.ChangeDescription !== '' && `: ${changeText(newer.ChangeDescription)}`,
              },
            )}
          </p>
          <ServerButton
            text={t('Save my changes as version {version}', { version: newer.Version + 1 })}
            loading={isSaving}
            onClick={onSaveOverNewer}
          />{' '}
          <Button
            text={t('Discard mine and open version {version}', { version: newer.Version })}
            disabled={isSaving}
            onClick={onReload}
          />
        </Callout>
      )}
      <div className="rs-form-actions">
        <ServerButton
          intent="primary"
          text={t('Save workflow')}
          disabled={!isUnsaved}
          loading={isSaving}
          onClick={onSave}
        />
        <Button text={t('Back')} onClick={goBack} />
        {!isUnsaved && <span className="rs-muted">{t('Version {version}, with no changes', { version })}</span>}
      </div>
    </Card>
  );
}
