import type { User } from '#shared/contract/users.ts';
import { t } from '#renderer/language/translate.ts';
import './users.css';

/** The source of a non-local user, as a list of terms. */
export function UserOrigin({ user }: { user: User }) {
  const rows = [
    [t('Source'), user.Source === 'AD' ? t('Directory (AD)') : t('Single sign-on (SSO)')],
    [t('Source name'), user.SourceName],
    [user.Source === 'AD' ? t('Directory name') : t('Name at the provider'), user.SourceUserName],
    [t('Source info'), user.SourceInfo],
  ].filter(([, value]) => value !== '');
  return (
    <dl className="rs-user-origin">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
