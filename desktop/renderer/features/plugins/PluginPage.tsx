import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { pluginPage, type PluginPage as Plugin } from '#shared/contract/settings.ts';
import { ownPath } from '#shared/rules/own-path.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { useProfile } from '#renderer/app/profile.ts';
import { recordActivity } from '#renderer/app/session.ts';
import { useIsDark } from '#renderer/app/theme.ts';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { readPluginRequest, type PluginRequest, type PluginWelcome } from './plugin-messages.ts';
import './plugins.css';

/** /plugins/{name}: the embedded page of another program. */
export function PluginPage() {
  const name = useParams()['name'] ?? '';
  const query = useQuery({ ...queryOf(pluginPage, { params: { name } }), staleTime: 60_000 });
  if (query.data) return <PluginFrame key={query.data.name} plugin={query.data} />;
  const status = query.error ? toFailure(query.error).status : null;
  if (status === 404) return <NotFoundPage />;
  return (
    <Page title={name}>
      {status === 403 && <EmptyState title={t('Not allowed')} />}
      {status === null && <Skeleton kind="form" />}
      {status !== null && status !== 403 && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
    </Page>
  );
}

/**
 * Without allow-same-origin, the page runs in an opaque origin. It cannot access the session, this page or storage,
 * even if it is hosted on the portal's own host.
 */
const SANDBOX = 'allow-scripts allow-forms allow-downloads';

function PluginFrame({ plugin }: { plugin: Plugin }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [title, setTitle] = useState(plugin.name);
  const [height, setHeight] = useState<number | null>(null);
  const navigate = useNavigate();
  useWelcome(frame);
  useRequests(frame, (request) => {
    if (request.type === 'runsheet.title') setTitle(request.title);
    if (request.type === 'runsheet.height') setHeight(request.height);
    if (request.type === 'runsheet.message') showMessage(request.text);
    // Only while the frame has the focus: an abandoned page must not extend the session.
    if (request.type === 'runsheet.activity' && document.activeElement === frame.current) recordActivity();
    if (request.type === 'runsheet.open') void navigate(ownPath(request.path));
  });
  return (
    <Page title={title}>
      <iframe
        ref={frame}
        className="rs-plugin"
        title={plugin.name}
        src={plugin.url}
        sandbox={SANDBOX}
        allow=""
        referrerPolicy="no-referrer"
        style={height === null ? undefined : { height }}
      />
    </Page>
  );
}

/** Sends the user and the theme to the page when it says hello, and again when the theme changes. */
function useWelcome(frame: RefObject<HTMLIFrameElement | null>): void {
  const profile = useProfile();
  const theme = useIsDark() ? 'dark' : 'light';
  const [hellos, setHellos] = useState(0);
  useRequests(frame, ({ type }) => {
    if (type === 'runsheet.hello') setHellos((count) => count + 1);
  });
  useEffect(() => {
    if (!profile || hellos === 0) return;
    const { UserName, FirstName, LastName } = profile;
    const welcome: PluginWelcome = {
      type: 'runsheet.welcome',
      version: 1,
      theme,
      user: { UserName, FirstName, LastName },
    };
    // The page has an opaque origin, so no target origin can be named. The message contains no secrets.
    frame.current?.contentWindow?.postMessage(welcome, '*');
  }, [frame, profile, theme, hellos]);
}

function useRequests(frame: RefObject<HTMLIFrameElement | null>, onRequest: (request: PluginRequest) => void): void {
  const latest = useRef(onRequest);
  useEffect(() => {
    latest.current = onRequest;
  });
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent): void => {
      if (source === null || source !== frame.current?.contentWindow) return;
      const request = readPluginRequest(data);
      if (request) latest.current(request);
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, [frame]);
}
