import { Button, DialogFooter } from '@blueprintjs/core';
import { t } from '#renderer/language/translate.ts';
import { SubmitButton } from './SubmitButton.tsx';

interface FormDialogFooterProps {
  /** What submitting the form does, such as 'Save'. */
  text: string;
  isBusy?: boolean;
  onCancel: () => void;
}

/** The buttons of a form in a dialog. */
export const FormDialogFooter = ({ text, isBusy, onCancel }: FormDialogFooterProps) => (
  <DialogFooter
    actions={
      <>
        <Button text={t('Cancel')} onClick={onCancel} />
        <SubmitButton text={text} loading={isBusy} />
      </>
    }
  />
);
