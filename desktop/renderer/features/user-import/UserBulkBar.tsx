import { Button, Checkbox } from '@blueprintjs/core';
import { useState } from 'react';
import { listRoles, roleUsers } from '#shared/contract/roles.ts';
import { ENABLE_USERS_MAX, setUsersEnabled, type EnableOutcome } from '#shared/contract/user-import.ts';
import { listUsers, type User } from '#shared/contract/users.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { BulkLinks } from './BulkLinks.tsx';
import { BulkProblems, type BulkProblem } from './BulkProblems.tsx';
import { BulkRolesDialog } from './BulkRolesDialog.tsx';
import { namesText } from './names-text.ts';
import type { TickedUsers } from './use-ticked-users.tsx';
import './user-import.css';

interface UserBulkBarProps {
  /** Users in the grid. */
  rows: readonly User[];
  ticks: TickedUsers;
  managesUsers: boolean;
  managesRoles: boolean;
  /** True if the portal mails links to set passwords, and the user may send them. */
  sendsLinks: boolean;
}

const TOUCHED = [listUsers, listRoles, roleUsers] as const;

/** Acts on the ticked users. Always there, so that a first tick moves nothing. */
export function UserBulkBar({ rows, ticks, managesUsers, managesRoles, sendsLinks }: UserBulkBarProps) {
  const { ticked, setAll, clear } = ticks;
  const users = [...ticked.values()];
  const { isBusy, change } = useChange(TOUCHED);
  const [isAskingToDisable, setAskingToDisable] = useState(false);
  const [rolesAction, setRolesAction] = useState<'include' | 'exclude' | null>(null);
  const [problems, setProblems] = useState<readonly BulkProblem[]>([]);
  const none = users.length === 0;
  const isAll = rows.length > 0 && rows.every(({ UserId }) => ticked.has(UserId));

  const setEnabled = async (enabled: boolean): Promise<void> => {
    await change(async () => {
      const outcomes = await enableAll(users, enabled);
      const changed = outcomes.filter(({ IsChanged }) => IsChanged).length;
      showSuccess(enabled ? enabledText(changed) : disabledText(changed));
      setProblems(problemsOf(outcomes));
    });
    setAskingToDisable(false);
  };
  return (
    <div className="rs-bar rs-bulk" role="group" aria-label={t('Selected users')}>
      <Checkbox
        label={t('Select all shown')}
        checked={isAll}
        indeterminate={!none && !isAll}
        onChange={({ currentTarget }) => setAll(rows, currentTarget.checked)}
      />
      <span className="rs-muted rs-bulk-count" role="status">
        {t('{count} selected', { count: numberText(users.length) })}
      </span>
      <Button variant="minimal" text={t('Clear selection')} disabled={none} onClick={clear} />
      {managesRoles && (
        <>
          <Button text={t('Add to roles…')} disabled={none} onClick={() => setRolesAction('include')} />
          <Button text={t('Remove from roles…')} disabled={none} onClick={() => setRolesAction('exclude')} />
        </>
      )}
      {managesUsers && (
        <>
          <ServerButton text={t('Enable selected')} disabled={none || isBusy} onClick={() => void setEnabled(true)} />
          <Button text={t('Disable selected')} disabled={none || isBusy} onClick={() => setAskingToDisable(true)} />
        </>
      )}
      {sendsLinks && <BulkLinks users={users} onProblems={setProblems} />}
      <ConfirmDialog
        isOpen={isAskingToDisable}
        title={t('Disable users')}
        confirmText={t('Disable')}
        intent="danger"
        isBusy={isBusy}
        onConfirm={() => void setEnabled(false)}
        onCancel={() => setAskingToDisable(false)}
      >
        {t('These users are signed out immediately and cannot sign in until enabled again: {names}', {
          names: namesText(users),
        })}
      </ConfirmDialog>
      {rolesAction !== null && (
        <BulkRolesDialog action={rolesAction} users={users} onClose={() => setRolesAction(null)} />
      )}
      <BulkProblems problems={problems} onClose={() => setProblems([])} />
    </div>
  );
}

async function enableAll(users: readonly User[], Enabled: boolean): Promise<EnableOutcome[]> {
  const outcomes: EnableOutcome[] = [];
  const ids = users.map(({ UserId }) => UserId);
  for (let start = 0; start < ids.length; start += ENABLE_USERS_MAX) {
    const UserIds = ids.slice(start, start + ENABLE_USERS_MAX);
    outcomes.push(...(await call(setUsersEnabled, { body: { UserIds, Enabled } })).Outcomes);
  }
  return outcomes;
}

const problemsOf = (outcomes: readonly EnableOutcome[]): BulkProblem[] =>
  outcomes.flatMap(({ UserId, UserName, Problem }) =>
    Problem === null ? [] : [{ name: UserName || String(UserId), reason: Problem }],
  );

const enabledText = (count: number): string =>
  t('{count, plural, one {# user enabled} other {# users enabled}}', { count });
const disabledText = (count: number): string =>
  t('{count, plural, one {# user disabled} other {# users disabled}}', { count });
