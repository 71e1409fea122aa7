import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { specificGrantInfo, type GrantInfo } from '#shared/contract/right-grants.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { useRight } from '#renderer/app/profile.ts';
import { assignPath } from '#renderer/features/rights/right-paths.ts';
import { t } from '#renderer/language/translate.ts';
import { Card } from '#renderer/ui/Page.tsx';
import { FailureState } from '#renderer/ui/states.tsx';

/** Maximum number of names; the page of the right lists all. */
const NAMED = 12;

/** Lists who may run the activity. Only for users who manage rights. */
export function RunnersCard({ activityId }: { activityId: number }) {
  const mayKnow = useRight('sk.ManageRights') === true;
  const params = { name: 'sk.RunActivity', keyColumn: 'Id', value: String(activityId) };
  const query = { Held: true, Take: NAMED };
  const { data, error, refetch } = useQuery({
    ...queryOf(specificGrantInfo, { params, query }),
    enabled: mayKnow,
  });
  if (!mayKnow || (!data && !error)) return null;
  return (
    <Card title={t('Who may run it')}>
      {data ? <Runners info={data} /> : <FailureState error={error} onRetry={() => void refetch()} />}
      <Link to={assignPath(params)}>{t('Show all, with reasons')}</Link>
    </Card>
  );
}

function Runners({ info }: { info: GrantInfo }) {
  const people = info.UserGrants.filter(({ OverallAccess }) => OverallAccess === 1);
  const roles = info.RoleGrants.filter(({ OverallAccess, IsActive }) => OverallAccess === 1 && IsActive);
  return (
    <ul className="rs-plain-list rs-home-list">
      {info.OverallInternetAccess === 1 && <li>{t('Anyone with the public link')}</li>}
      {roles.map(({ RoleName }) => (
        <li key={RoleName}>
          {RoleName} <span className="rs-muted">{t('role')}</span>
        </li>
      ))}
      {people.map(({ UserId, UserName, FirstName, LastName, Source }) => (
        <li key={UserId}>
          {`${FirstName} ${LastName}`.trim() || UserName}{' '}
          <span className="rs-muted">
            {Source === 'Explicit' || Source === '' ? UserName : t('through {source}', { source: Source })}
          </span>
        </li>
      ))}
      {info.HasMore && <li className="rs-muted">{t('and more')}</li>}
    </ul>
  );
}
