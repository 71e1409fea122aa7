import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { activityDetails, type Activity } from '#shared/contract/activities.ts';
import { linkDetails, type EditedLink } from '#shared/contract/links.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { usePageObject } from '#renderer/app/objects/page-object-claim.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { LinkageForm } from './LinkageForm.tsx';
import { TargetFields, type Target } from './TargetFields.tsx';

const isId = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

/** Fetch once for a form: a later response must not overwrite what the user typed. */
const once = { staleTime: Infinity, gcTime: 0 } as const;

/** /activities/linkage/new/{activityId} */
export function NewLinkagePage() {
  const id = Number(useParams()['activityId']);
  return isId(id) ? <NewLinkage key={id} activityId={id} /> : <NotFoundPage />;
}

function NewLinkage({ activityId }: { activityId: number }) {
  const [target, setTarget] = useState<Target>({ schema: '', activity: '' });
  const [targetId, setTargetId] = useState<number | null>(null);
  return (
    <LinkagePage activityId={activityId} targetId={targetId} link={null}>
      <TargetFields
        target={target}
        onChange={(next, id) => {
          setTarget(next);
          setTargetId(id);
        }}
      />
    </LinkagePage>
  );
}

/** /activities/linkage/edit/{linkId} */
export function EditLinkagePage() {
  const linkId = Number(useParams()['linkId']);
  return isId(linkId) ? <EditLinkage key={linkId} linkId={linkId} /> : <NotFoundPage />;
}

function EditLinkage({ linkId }: { linkId: number }) {
  const link = useQuery({ ...queryOf(linkDetails, { params: { linkId } }), ...once });
  if (!link.data) {
    return (
      <Page title={t('Linkage')} narrow>
        {link.error ? (
          <FailureState error={link.error} onRetry={() => void link.refetch()} />
        ) : (
          <Skeleton kind="form" />
        )}
      </Page>
    );
  }
  const { ActivityId, LinkedActivityId } = link.data;
  return <LinkagePage activityId={ActivityId} targetId={LinkedActivityId} link={link.data} />;
}

interface LinkagePageProps {
  activityId: number;
  /** Null until a target is chosen. */
  targetId: number | null;
  link: EditedLink | null;
  children?: ReactNode;
}

function LinkagePage({ activityId, targetId, link, children }: LinkagePageProps) {
  const source = useQuery({ ...queryOf(activityDetails, { params: { id: activityId } }), ...once });
  const target = useQuery({
    ...queryOf(activityDetails, { params: { id: targetId ?? 1 } }),
    ...once,
    enabled: targetId !== null,
  });
  const failed = [source, target].find(({ data, error }) => !data && error !== null);
  const chosen = targetId === null ? undefined : target.data;
  usePageObject(source.data && { kind: 'activity', id: activityId, name: source.data.Name });
  return (
    <Page title={link ? t('Edit linkage') : t('New linkage')} description={descriptionOf(source.data, chosen)} narrow>
      {source.data && !source.data.CanEdit && <EmptyState title={NO_PERMISSION} />}
      {source.data?.CanEdit && (
        <>
          {children && <Card title={t('Target')}>{children}</Card>}
          {chosen && <LinkageForm key={chosen.Id} source={source.data} target={chosen} link={link} />}
        </>
      )}
      {failed?.error && <FailureState error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && (!source.data || (targetId !== null && !target.data)) && <Skeleton kind="form" />}
    </Page>
  );
}

const descriptionOf = (source: Activity | undefined, target: Activity | undefined): string =>
  source === undefined
    ? ''
    : target === undefined
      ? t('From {name}', { name: source.Name })
      : t('Outputs of {name} become inputs of {name2}', { name: source.Name, name2: target.Name });
