import { Button, Callout } from '@blueprintjs/core';
import { useGoBack } from '#renderer/ui/use-go-back.ts';
import { changeText } from '#renderer/features/versions/change-description.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import type { NewerVersion, SaveWorkflow } from './use-save-workflow.ts';
import { ChangesTable } from './versions/ChangesTable.tsx';

const DESCRIPTION_MAX = 1000;

interface SaveCardProps {
  saving: SaveWorkflow;
  /** The version that is being edited. */
  version: number;
  isUnsaved: boolean;
  onSave: () => void;
  onSaveOverNewer: () => void;
}

/**
 * Saves as the next version. It shows why saving was refused, and what to do if someone else has saved a version in the
 * meantime.
 */
export function SaveCard({ saving, version, isUnsaved, onSave, onSaveOverNewer }: SaveCardProps) {
  const { newer, failure, attempt, isSaving } = saving;
  const goBack = useGoBack();
  return (
    <section className="rs-workflow-save" aria-label={t('Save')}>
      <ErrorSummary title={failure} attempt={attempt} />
      {newer && <NewerNotice newer={newer} saving={saving} onSaveOverNewer={onSaveOverNewer} />}
      <div className="rs-workflow-save-line">
        <TextField
          label={t('Change Description')}
          labelInfo={t('optional')}
          value={saving.description}
          maxLength={DESCRIPTION_MAX}
          onChange={saving.setDescription}
        />
        <ServerButton
          intent="primary"
          text={t('Save workflow')}
          disabled={!isUnsaved}
          loading={isSaving}
          onClick={onSave}
        />
        <Button text={t('Back')} onClick={goBack} />
        <span className="rs-muted rs-workflow-save-state">
          {isUnsaved
            ? t('Will be version {value}', { value: (newer?.workflow.NewestVersion ?? version) + 1 })
            : t('Version {version}, with no changes', { version })}
        </span>
      </div>
    </section>
  );
}

interface NewerNoticeProps {
  newer: NewerVersion;
  saving: SaveWorkflow;
  onSaveOverNewer: () => void;
}

/** Shows what someone else has saved, and the choices that the user has. */
function NewerNotice({ newer: { workflow, changes, ownSteps }, saving, onSaveOverNewer }: NewerNoticeProps) {
  const { Version, UserFullName, Modified, ChangeDescription } = workflow;
  return (
    <Callout compact intent="warning" className="rs-workflow-conflict">
      <p>
        {rich(
          'Version {version} was saved by {userFullName} {modified}{changeDescription}. Your changes here are not saved yet.',
          {
            version: Version,
            userFullName: UserFullName,
            modified: <DateText value={Modified} />,
            changeDescription: ChangeDescription !== '' && `: ${changeText(ChangeDescription)}`,
          },
        )}
      </p>
      <h3>{t('What they changed')}</h3>
      {changes ? (
        <ChangesTable changes={changes} ownSteps={ownSteps} />
      ) : (
        <p className="rs-muted">{t('Their changes could not be loaded.')}</p>
      )}
      <p>
        {t('A version contains the whole workflow. Saving yours undoes their changes, unless you repeat them first.')}
      </p>
      <ServerButton
        text={t('Save my changes as version {version}', { version: Version + 1 })}
        loading={saving.isSaving}
        onClick={onSaveOverNewer}
      />{' '}
      <Button
        text={t('Discard mine and open version {version}', { version: Version })}
        disabled={saving.isSaving}
        onClick={saving.takeNewer}
      />
    </Callout>
  );
}
