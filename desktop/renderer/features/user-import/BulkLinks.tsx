import { Button } from '@blueprintjs/core';
import { useRef, useState } from 'react';
import { sendPasswordReset } from '#shared/contract/password-reset.ts';
import type { User } from '#shared/contract/users.ts';
import { call } from '#renderer/api/client.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import type { BulkProblem } from './BulkProblems.tsx';
import { namesText } from './names-text.ts';
import { sendLinks } from './send-links.ts';

interface BulkLinksProps {
  users: readonly User[];
  onProblems: (problems: readonly BulkProblem[]) => void;
}

/** Mails each of the users a link to set a password, for example after invitations could not be sent. */
export function BulkLinks({ users, onProblems }: BulkLinksProps) {
  const [asked, setAsked] = useState<readonly User[] | null>(null);
  /** Number of users who are done; null while nothing is sent. */
  const [done, setDone] = useState<number | null>(null);
  const isStopped = useRef(false);
  const isBusy = done !== null;

  const send = async (to: readonly User[]): Promise<void> => {
    isStopped.current = false;
    setDone(0);
    const { sent, problems } = await sendLinks(to, {
      sendTo: (id) => call(sendPasswordReset, { params: { id } }),
      onDone: setDone,
      isStopped: () => isStopped.current,
    });
    if (sent > 0) showSuccess(sentText(sent));
    setDone(null);
    setAsked(null);
    onProblems(problems);
  };
  return (
    <>
      <Button text={t('Send password links…')} disabled={users.length === 0} onClick={() => setAsked(users)} />
      <ConfirmDialog
        isOpen={asked !== null}
        title={t('Send password links')}
        confirmText={t('Send')}
        isBusy={isBusy}
        stopText={t('Stop')}
        onConfirm={() => asked && void send(asked)}
        onCancel={() => {
          isStopped.current = true;
          if (!isBusy) setAsked(null);
        }}
      >
        {t('These users get an email with a link to set their password. It works once, within an hour: {names}', {
          names: namesText(asked ?? []),
        })}
        {isBusy && (
          <p role="status" className="rs-muted">
            {t('{done} of {total} done', { done: numberText(done), total: numberText(asked?.length ?? 0) })}
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}

const sentText = (count: number): string => t('{count, plural, one {# link sent} other {# links sent}}', { count });
