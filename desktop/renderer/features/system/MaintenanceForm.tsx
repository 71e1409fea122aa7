import { TextArea } from '@blueprintjs/core';
import { useState } from 'react';
import { maintenance, MAINTENANCE_TEXT_MAX, setMaintenance, systemState } from '#shared/contract/system.ts';
import { call } from '#renderer/api/client.ts';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';

const TOUCHED = [maintenance, systemState];
const SUGGESTED = t('The portal is under maintenance. Runs in progress will finish; you can start new runs later.');

/** @param text the current message; null if there is no maintenance */
export function MaintenanceForm({ text }: { text: string | null }) {
  const [typed, setTyped] = useState(text ?? SUGGESTED);
  const { isBusy, change, failure } = useFormChange(TOUCHED);
  const Text = typed.trim();
  const set = (wanted: string | null, done: string) =>
    void change(() => call(setMaintenance, { body: { Text: wanted } }), done);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        set(Text, 'Nothing can be started from now on');
      }}
    >
      <FormField
        label={t('Message to users')}
        limit={{ value: typed, max: MAINTENANCE_TEXT_MAX }}
        helper={t(
          'During maintenance, nothing can be started and schedules wait. Runs that have already started continue to their end.',
        )}
      >
        {(field) => (
          <TextArea {...field} fill rows={3} value={typed} onChange={(event) => setTyped(event.target.value)} />
        )}
      </FormField>
      <ErrorSummary {...failure} />
      <div className="rs-system-buttons">
        <SubmitButton
          intent={text === null ? 'primary' : 'none'}
          text={text === null ? t('Start maintenance') : t('Change text')}
          disabled={Text === '' || Text === text}
          loading={isBusy}
        />
        {text !== null && (
          <ServerButton
            intent="primary"
            text={t('End maintenance')}
            loading={isBusy}
            onClick={() => set(null, 'Everything can be started again')}
          />
        )}
      </div>
    </form>
  );
}
