import { useMemo } from 'react';
import { useParams } from 'react-router-dom';
import { AccessMark } from './AccessMark.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { scopeText } from './scope.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { said, t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { GrantButtons } from './GrantButtons.tsx';
import { changeInternet, TOUCHED, useInternetGrant } from './use-grants.ts';

/** /rights/assignInternetRights/{rightName}/[{keyColumnName}/{keyColumnValue}/] */
export function AssignInternetRightsPage() {
  const { rightName: name = '', keyColumnName: keyColumn = '', keyColumnValue: value = '' } = useParams();
  const right = useMemo(() => ({ name, keyColumn, value }), [name, keyColumn, value]);
  const query = useInternetGrant(right);
  const { isBusy, change } = useChange(TOUCHED);
  return (
    <Page
      title={t('Assign internet rights - {name}', { name })}
      description={query.data && said(query.data.Right.Description)}
      narrow
    >
      <QueryStates query={query} kind="form">
        {(info) =>
          info.OffersInternet ? (
            <Card title={t('For {scope}', { scope: scopeText({ ...info, KeyColumnName: keyColumn }) })}>
              <dl className="rs-facts">
                <dt>{t('Access')}</dt>
                <dd>
                  <AccessMark access={info.OverallInternetAccess} />
                </dd>
                <dt>{t('Explicit')}</dt>
                <dd>
                  <AccessMark access={info.ExplicitInternetAccess} />
                </dd>
              </dl>
              <GrantButtons
                holder={t('the internet')}
                explicit={info.ExplicitInternetAccess}
                isBusy={isBusy}
                onChange={(how) => void change(() => changeInternet(right, how))}
              />
            </Card>
          ) : (
            <EmptyState title={t('This right cannot be granted to the internet')} />
          )
        }
      </QueryStates>
    </Page>
  );
}
