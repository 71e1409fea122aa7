import { Spinner } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { internetRightList, roleRightList, userRightList } from '#shared/contract/security.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState } from '#renderer/ui/states.tsx';
import { InternetRightGrid } from './InternetRightGrid.tsx';
import { RoleRightGrid } from './RoleRightGrid.tsx';
import { UserRightGrid } from './UserRightGrid.tsx';

/** /securityMatrix. If the users' rights cannot be fetched, the page shows only that failure. */
export function SecurityMatrixPage() {
  const users = useQuery({ ...queryOf(userRightList), gcTime: 0 });
  const roles = useQuery(queryOf(roleRightList));
  const internet = useQuery(queryOf(internetRightList));
  const failure = users.error ?? (users.data && (roles.error ?? internet.error));
  const isLoaded = users.data && roles.data && internet.data;
  const retry = (): void => {
    for (const query of [users, roles, internet]) if (query.error) void query.refetch();
  };
  return (
    <Page title={t('Security Matrix')}>
      {isLoaded && (
        <>
          <Card title={t('User Security Matrix')}>
            <UserRightGrid rights={users.data.Items} />
          </Card>
          <Card title={t('Role Security Matrix')}>
            <RoleRightGrid label={t('Role Security Matrix')} rights={roles.data.Items} />
          </Card>
          <Card title={t('Internet Security Matrix')}>
            <InternetRightGrid rights={internet.data.Items} />
          </Card>
        </>
      )}
      {!isLoaded && failure && <FailureState error={failure} onRetry={retry} />}
      {!isLoaded && !failure && <Spinner aria-label={t('Loading')} />}
    </Page>
  );
}
