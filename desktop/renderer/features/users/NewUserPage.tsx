import { Button, Callout } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { useState } from 'react';
import { createUser, listUsers } from '#shared/contract/users.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { encryptPasswords } from '#renderer/api/passwords.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { showMessage, showSuccess, showWarning } from '#renderer/ui/toaster.tsx';
import { NotAllowed } from '#renderer/features/rights/OwnRights.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { useAbilities } from './use-users.ts';
import { NEW_USER, originKey, type Origins, type UserFormFields } from './user-form.ts';
import { UserForm } from './UserForm.tsx';
import './users.css';

async function create(all: UserFormFields, { ExternalSources }: Origins) {
  const { password, confirm: _confirm, origin, SourceUserName, IsUserAdmin, ...fields } = all;
  const source = ExternalSources.find((one) => originKey(one) === origin);
  const isWithPassword = !source && password !== '';
  const [Password] = isWithPassword ? await encryptPasswords(fields.UserName, [password]) : [];
  const created = await call(createUser, {
    body: {
      ...fields,
      ...(IsUserAdmin ? { IsUserAdmin } : {}),
      ...(Password === undefined ? {} : { Password }),
      ...(source ? { Source: source.Source, SourceName: source.SourceName, SourceUserName } : {}),
    },
  });
  await queryClient.invalidateQueries({ queryKey: keyOf(listUsers) });
  return created;
}

interface NewUserLink {
  userName: string;
  address: string;
}

/**
 * The link to pass on to the new user. It is shown only once, because neither the server nor this page can show it
 * again.
 */
function LinkToPassOn({ userName, address }: NewUserLink) {
  const copy = async (): Promise<void> => {
    if (await bridge.copyText(address)) showMessage(t('Copied'));
  };
  return (
    <Page title={t('New User')} narrow>
      <Callout intent="success" icon={null} className="rs-new-key" role="status">
        <p>
          {t(
            '{userName} has no password yet, and this portal does not send email. Pass this link on to the user, who can set the password with it once, within a day. The link is shown only once.',
            { userName },
          )}
        </p>
        <div className="rs-bar">
          <code>{address}</code>
          <Button icon={<Duplicate />} text={t('Copy')} onClick={() => void copy()} />
        </div>
      </Callout>
      <LinkButton to="/users/" text={t('Users')} />
    </Page>
  );
}

/** /newuser/ */
export function NewUserPage() {
  const abilities = useAbilities();
  const navigate = useNavigateWhileHere();
  const [link, setLink] = useState<NewUserLink | null>(null);
  if (link !== null) return <LinkToPassOn {...link} />;
  return (
    <Page title={t('New User')} narrow>
      <QueryStates query={abilities} kind="form">
        {(found) =>
          found.canManageUsers ? (
            <UserForm
              userId={null}
              initial={NEW_USER}
              mailsLinks={found.AllowPasswordReset}
              asksPassword={found.AllowAdminToSetPassword}
              isSelf={false}
              origins={found}
              save={async (fields) => {
                const { Warning, SetPasswordPath } = await create(fields, found);
                showSuccess(t('New user created'));
                if (Warning !== undefined) showWarning(Warning);
                if (SetPasswordPath !== undefined) {
                  return setLink({
                    userName: fields.UserName,
                    address: bridge.sharedAddress(SetPasswordPath),
                  });
                }
                void navigate('/users/');
              }}
            />
          ) : (
            <NotAllowed right="sk.ManageUsers" />
          )
        }
      </QueryStates>
    </Page>
  );
}
