import { useState, type FormEvent } from 'react';
import { sendTestMail, type SetupCheck } from '#shared/contract/setup.ts';
import { EMAIL_MAX } from '#shared/rules/user-rules.ts';
import { call } from '#renderer/api/client.ts';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { CheckResult } from './CheckResult.tsx';

const NOTHING_TOUCHED = [] as const;

/** Sends a test mail, and shows what the mail server answered. */
export function TestMailForm({ isOff }: { isOff: boolean }) {
  const [to, setTo] = useState('');
  const [result, setResult] = useState<SetupCheck | null>(null);
  const { isBusy, change, failure } = useFormChange(NOTHING_TOUCHED);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void change(async () => {
      setResult(null);
      setResult(await call(sendTestMail, { body: { To: to.trim() } }));
    });
  };
  return (
    <form className="rs-setup-check" onSubmit={send}>
      <TextField
        label={t('Send a test email to')}
        value={to}
        onChange={setTo}
        maxLength={EMAIL_MAX}
        disabled={isOff}
        autoComplete="email"
      />
      <ErrorSummary {...failure} />
      <SubmitButton
        intent="none"
        text={t('Send a test email')}
        loading={isBusy}
        disabled={isOff || to.trim().length < 3}
      />
      <div role="status">{result && <CheckResult result={result} />}</div>
    </form>
  );
}
