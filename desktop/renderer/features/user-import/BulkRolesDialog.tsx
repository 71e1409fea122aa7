import { Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useState } from 'react';
import { excludeUsers, includeUsers, listRoles, roleUsers } from '#shared/contract/roles.ts';
import type { User } from '#shared/contract/users.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { ProblemList, type BulkProblem } from './BulkProblems.tsx';
import { RoleChoice } from './RoleChoice.tsx';
import { namesText } from './names-text.ts';

interface BulkRolesDialogProps {
  action: 'include' | 'exclude';
  users: readonly User[];
  onClose: () => void;
}

const TOUCHED = [listRoles, roleUsers] as const;
const ENDPOINTS = { include: includeUsers, exclude: excludeUsers };

/** Adds users to roles, or removes them. Each role is changed for all of the users or for none. */
export function BulkRolesDialog({ action, users, onClose }: BulkRolesDialogProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<readonly BulkProblem[]>([]);
  const { isBusy, change } = useChange(TOUCHED);
  const isAdding = action === 'include';
  const save = (): void =>
    void change(async () => {
      const failed: BulkProblem[] = [];
      const body = users.map(({ UserId }) => UserId);
      for (const name of chosen) {
        try {
          await call(ENDPOINTS[action], { params: { name }, body });
        } catch (error) {
          failed.push({ name, reason: toFailure(error).message });
        }
      }
      setProblems(failed);
      // What failed stays chosen.
      setChosen(failed.map(({ name }) => name));
      if (failed.length > 0) return;
      showSuccess(t('Roles changed'));
      onClose();
    });
  return (
    <Dialog isOpen title={isAdding ? t('Add to roles') : t('Remove from roles')} icon={null} onClose={onClose}>
      <DialogBody>
        <p>{namesText(users)}</p>
        {problems.length > 0 && (
          <Callout intent="danger" role="alert" className="rs-import-note">
            <p>{t('These roles were not changed:')}</p>
            <ProblemList problems={problems} />
          </Callout>
        )}
        <RoleChoice label={t('Roles')} chosen={chosen} onChange={setChosen} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('Cancel')} disabled={isBusy} onClick={onClose} />
            <ServerButton
              intent="primary"
              text={isAdding ? t('Add') : t('Remove')}
              loading={isBusy}
              disabled={chosen.length === 0}
              onClick={save}
            />
          </>
        }
      />
    </Dialog>
  );
}
