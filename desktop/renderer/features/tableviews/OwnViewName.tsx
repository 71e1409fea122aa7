import { Button, Dialog, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { OWN_VIEW_NAME_MAX } from '#shared/contract/tableviews.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField } from '#renderer/ui/FormField.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';

interface OwnViewNameProps {
  title: string;
  initial: string;
  save: (name: string) => Promise<{ Id: number }>;
  onSaved: (saved: { Id: number }) => Promise<void>;
  onClose: () => void;
}

/** Asks for the name and shows the server's refusal beside it. */
export function OwnViewName({ title, initial, save, onSaved, onClose }: OwnViewNameProps) {
  const [name, setName] = useState(initial);
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: save, onSuccess: onSaved });
  const write = (text: string): void => {
    setName(text);
    // The refusal concerned the previous name.
    if (error) reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate(name);
  };
  return (
    <Dialog isOpen title={title} onClose={onClose} icon={null}>
      <form onSubmit={submit}>
        <DialogBody>
          <FormField
            label={t('Name')}
            required
            error={error && toFailure(error).message}
            limit={{ value: name, max: OWN_VIEW_NAME_MAX }}
            helper={t('Saves the current filters, condition, order, and columns. Only you can see the view.')}
          >
            {(field) => <InputGroup {...field} value={name} onValueChange={write} autoFocus />}
          </FormField>
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('Cancel')} onClick={onClose} disabled={isPending} />
              <SubmitButton text={t('Save')} loading={isPending} />
            </>
          }
        />
      </form>
    </Dialog>
  );
}
