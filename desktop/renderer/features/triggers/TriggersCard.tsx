import { Edit } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { activityTriggers, checklistTriggers } from '#shared/contract/triggers.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { said, t } from '#renderer/language/translate.ts';
import { FailedCard } from '#renderer/ui/FailedCard.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';

const SHOWN = 5;

/** Card on the page of an activity or checklist with its triggers. For users who may edit it. */
export function TriggersCard({ kind, id }: { kind: 'activities' | 'checklists'; id: number }) {
  const calls = kind === 'activities' ? activityTriggers : checklistTriggers;
  const query = useQuery(queryOf(calls.list, { params: { id } }));
  const { data } = query;
  if (!data) return query.error && <FailedCard title={t('Triggers')} query={query} />;
  return (
    <Card title={t('Triggers')}>
      {data.Items.length === 0 && <p className="rs-muted">{t('No event starts it.')}</p>}
      <ul className="rs-plain-list">
        {data.Items.slice(0, SHOWN).map(({ Id, Name, Text, PausedTime }) => (
          <li key={Id}>
            {Name}{' '}
            <span className="rs-muted">
              {PausedTime === null ? said(Text) : t('{text}, paused', { text: said(Text) })}
            </span>
          </li>
        ))}
        {data.Items.length > SHOWN && (
          <li className="rs-muted">{t('and {others} more', { others: data.Items.length - SHOWN })}</li>
        )}
      </ul>
      <LinkButton to={`/${kind}/triggers/${id}`} icon={<Edit />} text={t('Edit')} aria-label={t('Edit the triggers')} />
    </Card>
  );
}
