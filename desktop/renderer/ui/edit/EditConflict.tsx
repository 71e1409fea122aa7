import { Button, Callout } from '@blueprintjs/core';
import { useEffect, useRef } from 'react';
import { rich, t } from '#renderer/language/translate.ts';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import type { ConflictState } from './use-edited.ts';

interface EditConflictProps {
  edit: ConflictState;
  isSaving: boolean;
  /** Saves the form again. If absent, the button submits the form around it. */
  onOverwrite?: () => void;
}

/** In a form, if somebody else saved the same thing after it was opened: says who, and offers what to do. */
export function EditConflict({ edit, isSaving, onOverwrite }: EditConflictProps) {
  const { other, isShowingTheirs, showTheirs, acceptTheirs, discardMine } = edit;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (other === null) return;
    box.current?.scrollIntoView({ block: 'center' });
    box.current?.focus({ preventScroll: true });
  }, [other]);
  if (other === null) return null;
  const overwrite = (): void => {
    acceptTheirs();
    onOverwrite?.();
  };
  return (
    <div ref={box} tabIndex={-1} role="alert" className="rs-error-summary">
      <Callout compact intent="warning">
        <p>
          {rich('{name} changed this on {time}, after you opened it. Your changes are not saved yet.', {
            name: other.UserFullName || t('Another user'),
            time: <DateText value={other.Time} />,
          })}
        </p>
        {isShowingTheirs && <p>{t('The form shows their version. To continue with yours, select Show mine.')}</p>}
        <div className="rs-form-actions">
          <Button
            text={isShowingTheirs ? t('Show mine') : t('Show theirs')}
            onClick={() => showTheirs(!isShowingTheirs)}
          />
          {!isShowingTheirs && (
            <ServerButton
              type={onOverwrite ? 'button' : 'submit'}
              text={t('Overwrite with mine')}
              loading={isSaving}
              onClick={overwrite}
            />
          )}
          <Button text={t('Discard mine and open theirs')} disabled={isSaving} onClick={discardMine} />
        </div>
      </Callout>
    </div>
  );
}
