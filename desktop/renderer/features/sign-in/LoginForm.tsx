import { Button } from '@blueprintjs/core';
import { useEffect, useRef, useState, type FormEvent, type Ref } from 'react';
import {
  PASSWORD_MAX,
  livePasswordIssue,
  liveNameIssue,
  signInNameIssue,
  signInPasswordIssue,
} from '#shared/rules/sign-in-rules.ts';
import { passwordIssues, POLICY_TEXT } from '#shared/rules/password-rules.ts';
import { beginSession } from '#renderer/app/session.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { ResetPasswordMenu } from './ResetPasswordMenu.tsx';
import { MUST_CHANGE, signIn, signInFailureText } from './sign-in.ts';

interface Fields {
  userName: string;
  password: string;
  newPassword: string;
  confirm: string;
}

const EMPTY: Fields = { userName: '', password: '', newPassword: '', confirm: '' };

/** The first thing that keeps the form from being sent. */
function submitIssue(fields: Fields, isChanging: boolean): string | null {
  const first = signInNameIssue(fields.userName) ?? signInPasswordIssue(fields.password);
  if (first !== null) return first;
  const live = liveNameIssue(fields.userName) ?? livePasswordIssue(fields.password);
  if (live !== null || !isChanging) return live;
  if (fields.newPassword !== fields.confirm) return 'Passwords do not match';
  return passwordIssues(fields.newPassword, PASSWORD_MAX)[0] ?? null;
}

export function LoginForm({ allowsReset }: { allowsReset: boolean }) {
  const [fields, setFields] = useState(EMPTY);
  const [touched, setTouched] = useState<Partial<Record<keyof Fields, boolean>>>({});
  const [isChanging, setChanging] = useState(false);
  const [isRequesting, setRequesting] = useState(false);
  const [message, setMessage] = useState('');
  const nameInput = useRef<HTMLInputElement>(null);
  const newInput = useRef<HTMLInputElement>(null);

  useEffect(() => (isChanging ? newInput : nameInput).current?.focus(), [isChanging]);

  const write = (field: keyof Fields) => (value: string) => {
    setFields((before) => ({ ...before, [field]: value }));
    setTouched((before) => ({ ...before, [field]: true }));
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const issue = submitIssue(fields, isChanging);
    setMessage(issue ?? '');
    if (issue !== null) return;
    setRequesting(true);
    try {
      const { userName, password, newPassword } = fields;
      const { answer, message: lastLogin } = await signIn(userName, password, isChanging ? newPassword : null);
      beginSession(userName, answer);
      showMessage(lastLogin);
    } catch (failure) {
      const text = signInFailureText(failure);
      if (text.startsWith(MUST_CHANGE)) setChanging(true);
      setMessage(text);
      setRequesting(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label="Username"
        value={fields.userName}
        onChange={write('userName')}
        error={touched.userName ? liveNameIssue(fields.userName) : null}
        autoComplete="username"
        readOnly={isChanging}
        inputRef={nameInput}
      />
      <TextField
        label="Password"
        type="password"
        value={fields.password}
        onChange={write('password')}
        error={touched.password ? livePasswordIssue(fields.password) : null}
        autoComplete="current-password"
        readOnly={isChanging}
      />
      {isChanging && <NewPasswordFields fields={fields} write={write} inputRef={newInput} />}
      <Button type="submit" intent="primary" fill loading={isRequesting} text={isChanging ? 'Change' : 'Login'} />
      <p className="rs-login-message" role="alert">
        {message}
      </p>
      {allowsReset && !isChanging && <ResetPasswordMenu userName={fields.userName} onMessage={setMessage} />}
    </form>
  );
}

interface NewPasswordProps {
  fields: Fields;
  write: (field: keyof Fields) => (value: string) => void;
  inputRef: Ref<HTMLInputElement>;
}

function NewPasswordFields({ fields, write, inputRef }: NewPasswordProps) {
  return (
    <>
      <TextField
        label="New Password"
        type="password"
        value={fields.newPassword}
        onChange={write('newPassword')}
        helper={POLICY_TEXT}
        autoComplete="new-password"
        inputRef={inputRef}
      />
      <TextField
        label="Confirm New Password"
        type="password"
        value={fields.confirm}
        onChange={write('confirm')}
        autoComplete="new-password"
      />
    </>
  );
}
