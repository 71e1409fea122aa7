import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { INBOUND_BODY_MAX, type Trigger } from '#shared/contract/triggers.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { said, t } from '#renderer/language/translate.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import type { TriggerCalls } from './TriggerForm.tsx';

interface TryTriggerProps {
  item: Trigger;
  calls: TriggerCalls;
  onClose: () => void;
}

/** Shows what the trigger would do now, without starting anything. */
export function TryTrigger({ item: { Id, Name, Plan }, calls, onClose }: TryTriggerProps) {
  const isCalled = Plan.Kind === 'Webhook';
  const [typed, setTyped] = useState('{}');
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: (Body: string | null) => call(calls.test, { body: { Id, Body } }),
  });
  useEffect(() => {
    if (!isCalled) mutate(null);
  }, [isCalled, mutate]);
  return (
    <Dialog isOpen title={t('Try {name}', { name: Name })} onClose={onClose}>
      <DialogBody>
        <p>{t('This shows what the trigger would do now. Nothing is started.')}</p>
        {isCalled && (
          <TextField
            label={t('Body of a call')}
            rows={6}
            maxLength={INBOUND_BODY_MAX}
            value={typed}
            onChange={setTyped}
          />
        )}
        {error && <p role="alert">{said(toFailure(error).message)}</p>}
        {data && (
          <div role="status">
            <ul className="rs-trigger-lines">
              {data.Lines.map((line) => (
                <li key={line}>{said(line)}</li>
              ))}
            </ul>
          </div>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('Close')} onClick={onClose} />
            <Button
              intent="primary"
              text={isCalled ? t('Try it') : t('Try again')}
              loading={isPending}
              onClick={() => mutate(isCalled ? typed : null)}
            />
          </>
        }
      />
    </Dialog>
  );
}
