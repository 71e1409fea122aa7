import type { User } from '#shared/contract/users.ts';
import './users.css';

/** Where a user comes from who is not local, as a list of terms. */
export function UserOrigin({ user }: { user: User }) {
  const rows = [
    ['Source', user.Source === 'AD' ? 'Directory (AD)' : 'Single sign-on (SSO)'],
    ['Source name', user.SourceName],
    [user.Source === 'AD' ? 'Directory name' : 'Name at the provider', user.SourceUserName],
    ['Source info', user.SourceInfo],
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
