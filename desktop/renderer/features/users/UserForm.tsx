import { Checkbox } from '@blueprintjs/core';
import { Fragment, useState, type FormEvent, type ReactNode } from 'react';
import { PASSWORD_LIMITS, POLICY_TEXT } from '#renderer/api/password-limits.ts';
import { EMAIL_MAX, NAME_MAX } from '#shared/rules/user-rules.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { useSessionDraft } from '#renderer/app/use-session-draft.ts';
import { said, t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { OriginFields } from './OriginFields.tsx';
import {
  isFromDirectory,
  isProfileFetched,
  LOCAL,
  serverIssues,
  userFormIssues,
  type Origins,
  type UserFormFields,
  type UserFormIssues,
} from './user-form.ts';

interface UserFormProps {
  /** Null for a new user. */
  userId: number | null;
  initial: UserFormFields;
  /** True if a new user without a password gets a mail with a link to set one. */
  mailsLinks?: boolean;
  /** True if a password may be entered for a new user. */
  asksPassword?: boolean;
  origins: Origins;
  /** True if this is the current user, who cannot change their own administrator flag. */
  isSelf: boolean;
  /**
   * Throws the server's refusal.
   * @param opened the fields when the person began to edit them: `initial`, or those from before the session ended
   */
  save: (fields: UserFormFields, opened: UserFormFields) => Promise<void>;
}

type TextKey = (typeof PROFILE_KEYS)[number];

const PROFILE_KEYS = ['UserName', 'FirstName', 'MiddleName', 'LastName', 'Email'] as const;

const NAMES: { key: TextKey; label: string; max: number; required?: boolean }[] = [
  { key: 'UserName', label: t('User Name'), max: NAME_MAX, required: true },
  { key: 'FirstName', label: t('First name'), max: NAME_MAX, required: true },
  { key: 'MiddleName', label: t('Middle name'), max: NAME_MAX },
  { key: 'LastName', label: t('Last name'), max: NAME_MAX },
  { key: 'Email', label: t('Email'), max: EMAIL_MAX },
];

const PASSWORDS = [
  { key: 'password', label: t('Password') },
  { key: 'confirm', label: t('Confirm Password') },
] as const;

const MAILED = t("a link to set it is sent to the user's email address.");
const SHOWN = t('you get a link to set it, which you pass on to the user.');

function passwordHelper(mailsLinks: boolean): string {
  return t('If you leave this empty, {mailed} {text}. The password must be changed at the first sign-in.', {
    mailed: mailsLinks ? MAILED : SHOWN,
    text: said(POLICY_TEXT),
  });
}

export function UserForm({ userId, initial, isSelf, origins, save, ...passwords }: UserFormProps) {
  const isNew = userId === null;
  const isAdmin = useProfile()?.IsUserAdmin === true;
  const [fields, setFields] = useState(initial);
  const [opened, setOpened] = useState(initial);
  const [issues, setIssues] = useState<UserFormIssues>({});
  const [message, setMessage] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const change = (values: Partial<UserFormFields>): void => {
    setFields((before) => ({ ...before, ...values }));
    // Clear the issues of changed fields.
    setIssues((before) => Object.fromEntries(Object.entries(before).filter(([key]) => !(key in values))));
  };
  const isUnsaved = !isSaving && JSON.stringify(fields) !== JSON.stringify(initial);
  // Never store passwords, not even in an encrypted draft.
  const storable = { ...fields, password: '', confirm: '' };
  useSessionDraft(`user.${userId ?? 'new'}`, isUnsaved ? { fields: storable, opened } : null, (draft) => {
    setFields({ ...initial, ...draft.fields });
    // Others may have changed the user since then.
    setOpened({ ...initial, ...draft.opened });
  });
  const isLocal = fields.origin === LOCAL;
  const isFetched = isNew && isProfileFetched(fields.origin, origins);
  const isTyped = isLocal || (isFromDirectory(fields.origin) && !origins.ProfileDataFromAD);
  const isReadOnly = (key: TextKey): boolean => {
    if (isNew) return isFetched && key !== 'UserName';
    return !isTyped || (!isLocal && key === 'UserName');
  };

  const refuse = (found: UserFormIssues, title: string): void => {
    setIssues(found);
    setMessage(title === '' ? null : title);
    setAttempt((before) => before + 1);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // Other users have no editable fields that could be invalid.
    const found = isNew || isTyped ? userFormIssues(fields, isNew, isFetched) : {};
    if (Object.keys(found).length > 0) return refuse(found, t('Please correct the errors shown.'));
    refuse({}, '');
    setSaving(true);
    try {
      await save(fields, opened);
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
        <Names
          {...{ fields, issues, change }}
          isReadOnly={isReadOnly}
          origin={
            isNew &&
            origins.ExternalSources.length > 0 && <OriginFields {...{ fields, issues, origins, change, refuse }} />
          }
        />
        {isNew && isLocal && <Passwords {...{ fields, issues, change, ...passwords }} />}
        {isAdmin && (
          <Checkbox
            checked={fields.IsUserAdmin}
            disabled={isSelf}
            onChange={(event) => change({ IsUserAdmin: event.currentTarget.checked })}
            label={t('Administrator: has every right')}
          />
        )}
        {isLocal && (
          <Checkbox
            checked={fields.SecondFactorRequired}
            onChange={(event) => change({ SecondFactorRequired: event.currentTarget.checked })}
            label={t('Must sign in with a second factor: a code from an authenticator app')}
          />
        )}
        <Checkbox
          checked={fields.DisableInputDownload}
          onChange={(event) => change({ DisableInputDownload: event.currentTarget.checked })}
          label={t("Can't download input files of runs")}
        />
        <div className="rs-form-actions">
          <SubmitButton text={isNew ? t('Create user') : t('Update user')} loading={isSaving} />
        </div>
      </form>
      <LeaveWarning isUnsaved={isUnsaved} />
    </Card>
  );
}

interface PartProps {
  fields: UserFormFields;
  issues: UserFormIssues;
  change: (values: Partial<UserFormFields>) => void;
}

interface NamesProps extends PartProps {
  isReadOnly: (key: TextKey) => boolean;
  /** Shown after the user name. */
  origin: ReactNode;
}

function Names({ fields, issues, change, isReadOnly, origin }: NamesProps) {
  return NAMES.map(({ key, label, max, required }) => {
    const readOnly = isReadOnly(key);
    const isRequired = required === true && !readOnly;
    return (
      <Fragment key={key}>
        <TextField
          id={`user-${key}`}
          label={label}
          labelInfo={isRequired ? t('(Required)') : undefined}
          required={isRequired}
          value={fields[key]}
          onChange={(value) => change({ [key]: value })}
          error={issues[key]}
          maxLength={max}
          cuts
          readOnly={readOnly}
        />
        {key === 'UserName' && origin}
      </Fragment>
    );
  });
}

type PasswordsProps = PartProps & Pick<UserFormProps, 'mailsLinks' | 'asksPassword'>;

function Passwords({ fields, issues, change, mailsLinks = false, asksPassword = true }: PasswordsProps) {
  if (!asksPassword) {
    return (
      <p className="rs-muted">{t('The user sets the password: {mailed}', { mailed: mailsLinks ? MAILED : SHOWN })}</p>
    );
  }
  return PASSWORDS.map(({ key, label }) => (
    <TextField
      key={key}
      id={`user-${key}`}
      label={label}
      type="password"
      helper={key === 'password' ? passwordHelper(mailsLinks) : undefined}
      value={fields[key]}
      onChange={(value) => change({ [key]: value })}
      error={issues[key]}
      maxLength={PASSWORD_LIMITS.maximum}
      autoComplete="new-password"
    />
  ));
}
