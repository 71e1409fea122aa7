/** State of the sign-in form and the result of submitting it. */
import { useState } from 'react';
import type { TokenResponse } from '#shared/contract/auth.ts';
import { liveNameIssue, livePasswordIssue, signInNameIssue, signInPasswordIssue } from '#shared/rules/sign-in-rules.ts';
import { newPasswordIssue, PASSWORD_LIMITS } from '#renderer/api/password-limits.ts';
import { beginSession } from '#renderer/app/session.ts';
import { t } from '#renderer/language/translate.ts';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { factorQuestion, MUST_CHANGE, signIn, signInFailureText, type FactorQuestion } from './sign-in.ts';

export interface LoginFields {
  userName: string;
  password: string;
  newPassword: string;
  confirm: string;
  code: string;
}

const EMPTY: LoginFields = { userName: '', password: '', newPassword: '', confirm: '', code: '' };

interface Entered {
  answer: TokenResponse;
  /** When the account was last used. */
  message: string;
}

/** Returns the first issue that prevents submitting the form. */
function submitIssue(fields: LoginFields, isChanging: boolean, asksCode: boolean): string | null {
  const first = signInNameIssue(fields.userName) ?? signInPasswordIssue(fields.password);
  if (first !== null) return first;
  const live = liveNameIssue(fields.userName) ?? livePasswordIssue(fields.password, PASSWORD_LIMITS);
  if (live !== null) return live;
  if (isChanging && fields.newPassword !== fields.confirm) return t('Passwords do not match');
  const weak = isChanging ? newPasswordIssue(fields.newPassword) : null;
  if (weak !== null) return weak;
  return asksCode && fields.code.trim() === '' ? t('Please enter the code') : null;
}

export function useLogin() {
  const [fields, setFields] = useState(EMPTY);
  const [touched, setTouched] = useState<Partial<Record<keyof LoginFields, boolean>>>({});
  const [isChanging, setChanging] = useState(false);
  const [question, setQuestion] = useState<FactorQuestion | null>(null);
  const [isRequesting, setRequesting] = useState(false);
  const [message, setMessage] = useState('');
  /** Set after sign-in if the user must first store recovery codes. */
  const [entered, setEntered] = useState<Entered | null>(null);

  const write = (field: keyof LoginFields) => (value: string) => {
    setFields((before) => ({ ...before, [field]: value }));
    setTouched((before) => ({ ...before, [field]: true }));
  };
  const enter = ({ answer, message: lastLogin }: Entered): void => {
    beginSession(fields.userName, answer);
    showMessage(lastLogin);
  };
  const refuse = (failure: unknown): void => {
    const text = signInFailureText(failure);
    if (text.startsWith(MUST_CHANGE)) setChanging(true);
    const asked = factorQuestion(failure);
    if (asked) setQuestion(asked);
    setMessage(text);
    setRequesting(false);
  };
  const submit = async (): Promise<void> => {
    const issue = submitIssue(fields, isChanging, question !== null);
    setMessage(issue ?? '');
    if (issue !== null) return;
    setRequesting(true);
    try {
      const { userName, password, newPassword, code } = fields;
      const enteredCode = question === null ? null : code.trim();
      const now = await signIn(userName, password, isChanging ? newPassword : null, enteredCode);
      if (now.answer.recoveryCodes) setEntered(now);
      else enter(now);
    } catch (failure) {
      refuse(failure);
    }
  };
  const startAgain = (): void => {
    setFields((before) => ({ ...EMPTY, userName: before.userName }));
    setTouched({});
    setChanging(false);
    setQuestion(null);
    setMessage('');
  };
  const state = { fields, touched, isChanging, question, isRequesting, message };
  const recoveryCodes = entered?.answer.recoveryCodes ?? null;
  const goOn = (): void => void (entered && enter(entered));
  return { ...state, setMessage, write, submit, startAgain, recoveryCodes, goOn };
}

export type Login = ReturnType<typeof useLogin>;
