import { Button, Checkbox } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import { POLICY_TEXT } from '#shared/rules/password-rules.ts';
import { EMAIL_MAX, NAME_MAX } from '#shared/rules/user-rules.ts';
import { PASSWORD_MAX } from '#shared/rules/sign-in-rules.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { serverIssues, userFormIssues, type UserFormFields, type UserFormIssues } from './user-form.ts';

interface UserFormProps {
  initial: UserFormFields;
  isNew: boolean;
  /** Whether a new user without a password is sent a link to set one. */
  mailsLinks?: boolean;
  /** Whether the administrator's mark may be changed: never one's own. */
  isSelf: boolean;
  /** Throws what the server refused. */
  save: (fields: UserFormFields) => Promise<void>;
}

type TextKey = Exclude<keyof UserFormFields, 'IsUserAdmin' | 'SecondFactorRequired'>;

const NAMES: { key: TextKey; label: string; max: number; required?: boolean }[] = [
  { key: 'UserName', label: 'User Name', max: NAME_MAX, required: true },
  { key: 'FirstName', label: 'First Name', max: NAME_MAX, required: true },
  { key: 'MiddleName', label: 'Middle Name', max: NAME_MAX },
  { key: 'LastName', label: 'Last Name', max: NAME_MAX },
  { key: 'Email', label: 'Email', max: EMAIL_MAX },
];

const PASSWORDS = [
  { key: 'password', label: 'Password' },
  { key: 'confirm', label: 'Confirm Password' },
] as const;

function passwordHelper(mailsLinks: boolean): string {
  const given = `${POLICY_TEXT}. It has to be changed at the first sign-in.`;
  return mailsLinks ? `Left empty, a link to set it is sent to the mail address. ${given}` : given;
}

export function UserForm({ initial, isNew, mailsLinks = false, isSelf, save }: UserFormProps) {
  const isAdmin = useProfile()?.IsUserAdmin === true;
  const [fields, setFields] = useState(initial);
  const [issues, setIssues] = useState<UserFormIssues>({});
  const [message, setMessage] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const write = (key: keyof UserFormFields) => (value: string | boolean) =>
    setFields((before) => ({ ...before, [key]: value }));

  const refuse = (found: UserFormIssues, title: string): void => {
    setIssues(found);
    setMessage(title);
    setAttempt((before) => before + 1);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found = userFormIssues(fields, isNew);
    if (Object.keys(found).length > 0) return refuse(found, 'Please correct the errors shown.');
    refuse({}, '');
    setMessage(null);
    setSaving(true);
    try {
      await save(fields);
    } catch (error) {
      const failure = toFailure(error);
      refuse(serverIssues(failure.modelState), failure.message);
      setSaving(false);
    }
  };

  const list = Object.entries(issues).map(([key, text]) => ({ fieldId: `user-${key}`, message: text }));
  return (
    <Card>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <ErrorSummary title={message} issues={list} attempt={attempt} />
        {NAMES.map(({ key, label, max, required }) => (
          <TextField
            key={key}
            id={`user-${key}`}
            label={label}
            labelInfo={required ? '(Required)' : undefined}
            required={required}
            value={fields[key]}
            onChange={write(key)}
            error={issues[key]}
            maxLength={max}
          />
        ))}
        {isNew &&
          PASSWORDS.map(({ key, label }) => (
            <TextField
              key={key}
              id={`user-${key}`}
              label={label}
              type="password"
              helper={key === 'password' ? passwordHelper(mailsLinks) : undefined}
              value={fields[key]}
              onChange={write(key)}
              error={issues[key]}
              maxLength={PASSWORD_MAX}
              autoComplete="new-password"
            />
          ))}
        {isAdmin && (
          <Checkbox
            checked={fields.IsUserAdmin}
            disabled={isSelf}
            onChange={(event) => write('IsUserAdmin')(event.currentTarget.checked)}
            label="Administrator: holds every right"
          />
        )}
        <Checkbox
          checked={fields.SecondFactorRequired}
          onChange={(event) => write('SecondFactorRequired')(event.currentTarget.checked)}
          label="Must sign in with a second factor: a code of an authenticator app"
        />
        <div className="rs-form-actions">
          <Button type="submit" intent="primary" text={isNew ? 'Create User' : 'Update User'} loading={isSaving} />
        </div>
      </form>
      <LeaveWarning isUnsaved={!isSaving && JSON.stringify(fields) !== JSON.stringify(initial)} />
    </Card>
  );
}
