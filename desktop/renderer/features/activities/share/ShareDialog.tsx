import { Dialog, DialogBody } from '@blueprintjs/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { keyOf } from '#renderer/api/queries.ts';
import { activityShares } from '#shared/contract/sharing.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { NewShares } from './NewShares.tsx';
import { PublicLinkPart } from './PublicLinkPart.tsx';
import { ShareList } from './ShareList.tsx';
import './share.css';

interface ShareDialogProps {
  id: number;
  name: string;
  onClose: () => void;
}

/** Shares an activity, and shows who has access to it and how. For users who may share it. */
export function ShareDialog({ id, name, onClose }: ShareDialogProps) {
  const query = useInfiniteQuery({
    queryKey: [...keyOf(activityShares), id],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => call(activityShares, { params: { id }, query: { Skip: pageParam }, signal }),
    getNextPageParam: (page, pages) =>
      page.HasMore ? pages.reduce((count, { Items }) => count + Items.length, 0) : undefined,
  });
  const first = query.data?.pages[0];
  return (
    <Dialog isOpen title={t('Share {name}', { name })} className="rs-share" onClose={onClose}>
      <DialogBody>
        {!first && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
        {!first && !query.error && <Skeleton kind="form" />}
        {first && (
          <>
            <NewShares id={id} levels={first.Levels} />
            <ShareList id={id} query={query} first={first} />
            <PublicLinkPart id={id} link={first.PublicLink} canPublish={first.CanPublish} />
          </>
        )}
      </DialogBody>
    </Dialog>
  );
}
