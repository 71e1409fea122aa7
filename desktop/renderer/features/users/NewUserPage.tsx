import { useNavigate } from 'react-router-dom';
import { createUser, listUsers } from '#shared/contract/users.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { encryptPasswords } from '#renderer/api/passwords.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/features/administration/QueryStates.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { showSuccess, showWarning } from '#renderer/ui/toaster.tsx';
import { useAbilities } from './use-users.ts';
import { NEW_USER, originKey, type Origins, type UserFormFields } from './user-form.ts';
import { UserForm } from './UserForm.tsx';

async function create(all: UserFormFields, { ExternalSources }: Origins): Promise<string | undefined> {
  const { password, confirm: _confirm, origin, SourceUserName, IsUserAdmin, ...fields } = all;
  const source = ExternalSources.find((one) => originKey(one) === origin);
  const isWithPassword = !source && password !== '';
  const [Password] = isWithPassword ? await encryptPasswords(fields.UserName, [password]) : [];
  const { Warning } = await call(createUser, {
    body: {
      ...fields,
      ...(IsUserAdmin ? { IsUserAdmin } : {}),
      ...(Password === undefined ? {} : { Password }),
      ...(source ? { Source: source.Source, SourceName: source.SourceName, SourceUserName } : {}),
    },
  });
  await queryClient.invalidateQueries({ queryKey: keyOf(listUsers) });
  return Warning;
}

/** /newuser/ */
export function NewUserPage() {
  const abilities = useAbilities();
  const navigate = useNavigate();
  return (
    <Page title="New User" narrow>
      <QueryStates query={abilities} kind="form">
        {(found) =>
          found.canManageUsers ? (
            <UserForm
              userId={null}
              initial={NEW_USER}
              mailsLinks={found.AllowPasswordReset}
              isSelf={false}
              origins={found}
              save={async (fields) => {
                const warning = await create(fields, found);
                showSuccess('New user created');
                if (warning !== undefined) showWarning(warning);
                void navigate('/users/');
              }}
            />
          ) : (
            <EmptyState title={NO_PERMISSION} />
          )
        }
      </QueryStates>
    </Page>
  );
}
