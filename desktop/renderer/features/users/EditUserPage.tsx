import { useRef } from 'react';
import { useParams } from 'react-router-dom';
import type { SeenUser } from '#shared/contract/users.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { useProfile } from '#renderer/app/profile.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { PersonAccess } from '#renderer/features/access/PersonAccess.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { NotAllowed } from '#renderer/features/rights/OwnRights.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { useAbilities, useUser } from './use-users.ts';
import { saveUser } from './save-user.ts';
import { fieldsOfUser, hasOwnProfile, type Origins } from './user-form.ts';
import { UserForm } from './UserForm.tsx';
import { UserOrigin } from './UserOrigin.tsx';

/** The source of an existing user cannot change. */
const NO_SOURCES: Origins['ExternalSources'] = [];

/** /edituser/{id}/ */
export function EditUserPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <EditUser key={id} id={id} /> : <NotFoundPage />;
}

function EditUser({ id }: { id: number }) {
  const query = useUser(id);
  const able = useAbilities();
  const abilities = able.data;
  const me = useProfile();
  const navigate = useNavigateWhileHere();
  /** The user as somebody else has changed it while this form was open. */
  const present = useRef<SeenUser | null>(null);
  const user = query.data;
  const { ProfileDataFromAD = true } = abilities ?? {};
  /**
   * Names and e-mail of non-local users belong to their source. Source: specification of security, sections 5 and 6.
   */
  const title = user && !hasOwnProfile(user, { ProfileDataFromAD }) ? t('User Details') : t('Edit user');
  return (
    <Page title={user ? `${title} - ${user.UserName}` : t('Edit user')} narrow>
      <QueryStates query={query} kind="form">
        {(found) =>
          !abilities ? (
            <QueryStates query={able} kind="form">
              {() => null}
            </QueryStates>
          ) : !abilities.canManageUsers ? (
            <NotAllowed right="sk.ManageUsers" />
          ) : (
            <>
              {found.Source !== 'Local' && <UserOrigin user={found} />}
              <UserForm
                userId={id}
                initial={fieldsOfUser(found)}
                isSelf={found.UserId === me?.UserId}
                origins={{ ExternalSources: NO_SOURCES, ProfileDataFromAD }}
                save={async (fields, opened) => {
                  const conflict = await saveUser(id, { opened, present: present.current ?? opened, fields });
                  if (conflict) {
                    present.current = conflict.present;
                    throw conflict.refusal;
                  }
                  showSuccess(t('User Details Updated'));
                  void navigate('/users/');
                }}
              />
              <PersonAccess userId={id} name={`${found.FirstName} ${found.LastName}`.trim() || found.UserName} />
            </>
          )
        }
      </QueryStates>
    </Page>
  );
}
