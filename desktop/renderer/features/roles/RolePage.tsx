import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router-dom';
import { deleteRole, disableRole, enableRole, listRoles, roleUsers, type Role } from '#shared/contract/roles.ts';
import { roleRightList } from '#shared/contract/security.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { EnabledMark } from '#renderer/ui/EnabledMark.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { RoleRightGrid } from '#renderer/features/security/RoleRightGrid.tsx';
import { t } from '#renderer/language/translate.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { RoleUsers } from './RoleUsers.tsx';

const TOUCHED = [listRoles, roleUsers] as const;

/** /roles/{roleName}/ */
export function RolePage() {
  const name = useParams()['roleName'] ?? '';
  return <RoleOf key={name} name={name} />;
}

function RoleOf({ name }: { name: string }) {
  const role = useQuery(queryOf(roleUsers, { params: { name }, query: { Take: 1 } }));
  const rights = useQuery(queryOf(roleRightList, { query: { RoleName: name } }));
  return (
    <Page title={t('Role - {name}', { name })} actions={role.data && <RoleActions role={role.data.Role} />}>
      <QueryStates query={role}>
        {() => (
          <>
            <Card title={t('Users')}>
              <RoleUsers name={name} />
            </Card>
            <Card title={t('Rights')}>
              <QueryStates query={rights}>
                {({ Items }) => <RoleRightGrid label={t('Rights of {name}', { name })} rights={Items} isOneRole />}
              </QueryStates>
            </Card>
          </>
        )}
      </QueryStates>
    </Page>
  );
}

function RoleActions({ role }: { role: Role }) {
  const { isBusy, change } = useChange(TOUCHED);
  const navigate = useNavigate();
  const [isDoomed, setDoomed] = useState(false);
  const { Name: name, IsActive, UserCount } = role;
  const remove = async (): Promise<void> => {
    await change(async () => {
      await call(deleteRole, { params: { name } });
      // Navigate before the page refetches the deleted role.
      void navigate('/roles/', { replace: true });
    });
  };
  return (
    <>
      <EnabledMark isOn={IsActive} words={[t('Active'), t('Inactive')]} />
      <ServerButton
        text={IsActive ? t('Disable') : t('Enable')}
        loading={isBusy}
        onClick={() => void change(() => call(IsActive ? disableRole : enableRole, { params: { name } }))}
      />
      <ServerButton text={t('Delete')} intent="danger" variant="outlined" onClick={() => setDoomed(true)} />
      <DeleteDialog
        isOpen={isDoomed}
        title={t('Delete role')}
        isBusy={isBusy}
        onCancel={() => setDoomed(false)}
        onConfirm={() => void remove()}
      >
        {t('The rights that {name} grants and denies are deleted with the role. {users} This cannot be undone.', {
          name,
          users: usersText(UserCount),
        })}
      </DeleteDialog>
    </>
  );
}

function usersText(count: number): string {
  if (count === 0) return t('The role has no users.');
  return t(
    '{count, plural, one {The user in the role remains, without its rights.} other {The # users in the role remain, without its rights.}}',
    { count },
  );
}
