import { Callout } from '@blueprintjs/core';
import { Build } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { maintenance } from '#shared/contract/system.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf } from '#renderer/api/queries.ts';

/** Shows the maintenance message above every page. Polled while the page is in use. */
export function MaintenanceBar() {
  const { data } = useQuery({
    queryKey: keyOf(maintenance),
    queryFn: ({ signal }) => call(maintenance, { signal, polls: true }),
    staleTime: 60_000,
    refetchOnWindowFocus: true,
  });
  if (!data?.Text) return null;
  return (
    <Callout compact intent="warning" icon={<Build />} className="rs-connection-bar" role="status">
      {data.Text}
    </Callout>
  );
}
