import { Card, Page } from '#renderer/ui/Page.tsx';
import { FetchedOnce, type FetchedOnceProps } from '#renderer/ui/query/FetchedOnce.tsx';
import { RetentionForm, type RetentionOwner } from './RetentionForm.tsx';

interface RetentionScreenProps<Data> {
  title: string;
  query: FetchedOnceProps<Data>['query'];
  ownerOf: (data: Data) => RetentionOwner;
}

/** Page that edits how long the runs of an activity or checklist are retained. */
export function RetentionScreen<Data>({ title, query, ownerOf }: RetentionScreenProps<Data>) {
  const { data } = query;
  return (
    <Page title={title} description={data === undefined ? undefined : ownerOf(data).name} narrow>
      <FetchedOnce query={query}>
        {(fetched) => (
          <Card>
            <RetentionForm owner={ownerOf(fetched)} />
          </Card>
        )}
      </FetchedOnce>
    </Page>
  );
}
