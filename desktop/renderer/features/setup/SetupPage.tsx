import { useQuery } from '@tanstack/react-query';
import { setupItems } from '#shared/contract/setup.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { SetupCard } from './SetupCard.tsx';
import './setup.css';

/** /setup, for user administrators. */
export function SetupPage() {
  const profile = useProfile();
  return (
    <Page
      title={t('Setup')}
      description={t(
        'How the server that answers your requests is set up. Change settings in its environment or configuration file; they take effect at its next start.',
      )}
    >
      {profile && !profile.IsUserAdmin && <EmptyState title={NO_PERMISSION} />}
      {profile?.IsUserAdmin && <SetupParts />}
    </Page>
  );
}

function SetupParts() {
  const query = useQuery(queryOf(setupItems));
  return (
    <QueryStates query={query} failure={t('The setup could not be loaded.')}>
      {({ Items }) => Items.map((item) => <SetupCard key={item.Key} item={item} />)}
    </QueryStates>
  );
}
