import { useNavigate, useParams } from 'react-router-dom';
import { listUsers, updateUser, type User } from '#shared/contract/users.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { useProfile } from '#renderer/app/profile.ts';
import { QueryStates } from '#renderer/features/administration/QueryStates.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { useAbilities, useUser } from './use-users.ts';
import { fieldsOfUser, type UserFormFields } from './user-form.ts';
import { UserForm } from './UserForm.tsx';

async function update(user: User, fields: UserFormFields): Promise<void> {
  const { password: _password, confirm: _confirm, IsUserAdmin, ...rest } = fields;
  const changed = IsUserAdmin === user.IsUserAdmin ? {} : { IsUserAdmin };
  await call(updateUser, { body: { UserId: user.UserId, ...rest, ...changed } });
  await queryClient.invalidateQueries({ queryKey: keyOf(listUsers) });
}

/** /edituser/{id}/ */
export function EditUserPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <EditUser key={id} id={id} /> : <NotFoundPage />;
}

function EditUser({ id }: { id: number }) {
  const query = useUser(id);
  const canManage = useAbilities().data?.canManageUsers;
  const me = useProfile();
  const navigate = useNavigate();
  const user = query.data;
  return (
    <Page title={user ? `Edit User - ${user.UserName}` : 'Edit User'} narrow>
      <QueryStates query={query} kind="form">
        {(found) =>
          canManage === false || found.Source !== 'Local' ? (
            <EmptyState title={canManage === false ? NO_PERMISSION : 'Only local users can be edited here'} />
          ) : (
            <UserForm
              initial={fieldsOfUser(found)}
              isNew={false}
              isSelf={found.UserId === me?.UserId}
              save={async (fields) => {
                await update(found, fields);
                showSuccess('User Details Updated');
                void navigate('/users/');
              }}
            />
          )
        }
      </QueryStates>
    </Page>
  );
}
