import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Navigate, useLocation, useParams } from 'react-router-dom';
import { documentFile, findDocument } from '#shared/contract/documents.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { downloadByToken } from '#renderer/api/download.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { Frame } from '#renderer/app/Frame.tsx';
import { rememberPath } from '#renderer/app/remembered-path.ts';
import { useSession } from '#renderer/app/session.ts';
import { HomeLink } from '#renderer/app/TopBar.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';

/** /documents/{uniqueId}: downloads a document and says so. */
export function DocumentPage() {
  const uniqueId = useParams()['uniqueId'] ?? '';
  const isSignedIn = useSession((state) => state.session !== null);
  const content = <Document key={uniqueId} uniqueId={uniqueId} />;
  return isSignedIn ? <Frame>{content}</Frame> : <BareFrame>{content}</BareFrame>;
}

function BareFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="rs-top">
        <HomeLink />
      </header>
      <main>{children}</main>
    </>
  );
}

const FORBIDDEN = t('You do not have permissions to download this file');

function Document({ uniqueId }: { uniqueId: string }) {
  const { pathname } = useLocation();
  const query = useQuery({ ...queryOf(findDocument, { params: { uniqueId } }), staleTime: Infinity, gcTime: 0 });
  const token = query.data?.Token;
  useEffect(() => {
    if (token !== undefined) downloadByToken(token, documentFile);
  }, [token]);
  const status = query.error ? toFailure(query.error).status : null;
  if (status === 401) {
    rememberPath(pathname);
    return <Navigate to="/login" replace />;
  }
  return (
    <Page title={t('Download')}>
      {query.data && <EmptyState title={t('You just downloaded {fileName}', { fileName: query.data.FileName })} />}
      {query.isPending && <Skeleton kind="form" />}
      {status === 403 && <EmptyState title={FORBIDDEN} />}
      {status !== null && status !== 403 && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
    </Page>
  );
}
