import { Edit } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { FailedCard } from '#renderer/ui/FailedCard.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { alertsPath, listOf, type AlertOwner } from './alert-owner.ts';

const SHOWN = 5;

/** Card on the page of an activity or checklist that shows who is notified of what. For users who may edit it. */
export function AlertsCard({ owner }: { owner: AlertOwner }) {
  const query = useQuery(queryOf(listOf(owner), { params: { id: owner.id } }));
  const { data } = query;
  if (!data) return query.error && <FailedCard title={t('Alerts')} query={query} />;
  return (
    <Card title={t('Alerts')}>
      {data.Items.length === 0 && <p className="rs-muted">{t('Nobody is notified about runs.')}</p>}
      <ul className="rs-plain-list">
        {data.Items.slice(0, SHOWN).map(({ Id, Name, IsActive }) => (
          <li key={Id}>
            {Name} {!IsActive && <span className="rs-muted">{t('off')}</span>}
          </li>
        ))}
        {data.Items.length > SHOWN && (
          <li className="rs-muted">{t('and {itemsCount} more', { itemsCount: data.Items.length - SHOWN })}</li>
        )}
      </ul>
      <LinkButton to={alertsPath(owner)} icon={<Edit />} text={t('Edit')} aria-label={t('Edit the alerts')} />
    </Card>
  );
}
