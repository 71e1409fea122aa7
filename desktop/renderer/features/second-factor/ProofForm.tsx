import { Button } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import { toFailure } from '#renderer/api/app-failure.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';

export interface Proof {
  password: string;
  code: string;
}

interface ProofFormProps {
  asks: { password: boolean; code: boolean };
  submit: string;
  /** Throws the server's refusal. */
  work: (proof: Proof) => Promise<void>;
  onCancel: () => void;
}

/** Asks for the password, the code, or both, depending on the change of the second factor. */
export function ProofForm({ asks, submit, work, onCancel }: ProofFormProps) {
  const [proof, setProof] = useState<Proof>({ password: '', code: '' });
  const [message, setMessage] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isBusy, setBusy] = useState(false);

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAttempt(attempt + 1);
    const issue = issueOf(proof, asks);
    setMessage(issue);
    if (issue !== null) return;
    setBusy(true);
    try {
      await work({ ...proof, code: proof.code.trim() });
    } catch (error) {
      setMessage(toFailure(error).message);
    }
    setBusy(false);
  };

  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <ErrorSummary title={message} attempt={attempt} />
      {asks.password && (
        <TextField
          label={t('Password')}
          type="password"
          autoComplete="current-password"
          value={proof.password}
          onChange={(password) => setProof((before) => ({ ...before, password }))}
        />
      )}
      {asks.code && (
        <TextField
          label={t('Code')}
          autoComplete="one-time-code"
          maxLength={40}
          value={proof.code}
          onChange={(code) => setProof((before) => ({ ...before, code }))}
        />
      )}
      <div className="rs-form-actions">
        <Button type="submit" intent="primary" text={submit} loading={isBusy} />
        <Button text={t('Cancel')} onClick={onCancel} disabled={isBusy} />
      </div>
    </form>
  );
}

function issueOf({ password, code }: Proof, asks: ProofFormProps['asks']): string | null {
  if (asks.password && password === '') return t('Please enter your password');
  return asks.code && code.trim() === '' ? t('Please enter the code') : null;
}
