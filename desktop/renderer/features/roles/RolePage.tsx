import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { disableRole, enableRole, listRoles, roleUsers, type Role } from '#shared/contract/roles.ts';
import { roleRightList } from '#shared/contract/security.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { EnabledMark } from '#renderer/features/administration/EnabledMark.tsx';
import { QueryStates } from '#renderer/features/administration/QueryStates.tsx';
import { useChange } from '#renderer/features/administration/use-change.ts';
import { RoleRightGrid } from '#renderer/features/security/RoleRightGrid.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
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
    <Page title={`Role - ${name}`} actions={role.data && <ActiveToggle role={role.data.Role} />}>
      <QueryStates query={role}>
        {() => (
          <>
            <Card title="Users">
              <RoleUsers name={name} />
            </Card>
            <Card title="Rights">
              <QueryStates query={rights}>
                {({ Items }) => <RoleRightGrid label={`Rights of ${name}`} rights={Items} isOneRole />}
              </QueryStates>
            </Card>
          </>
        )}
      </QueryStates>
    </Page>
  );
}

function ActiveToggle({ role }: { role: Role }) {
  const { isBusy, change } = useChange(TOUCHED);
  const { Name: name, IsActive } = role;
  return (
    <>
      <EnabledMark isOn={IsActive} words={['Active', 'Inactive']} />
      <Button
        text={IsActive ? 'Disable' : 'Enable'}
        loading={isBusy}
        onClick={() => void change(() => call(IsActive ? disableRole : enableRole, { params: { name } }))}
      />
    </>
  );
}
