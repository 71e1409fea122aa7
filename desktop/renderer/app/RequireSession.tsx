import { Navigate, useLocation } from 'react-router-dom';
import { LazyFrame } from './lazy-frame.tsx';
import { rememberPath } from './remembered-path.ts';
import { useSession } from './session.ts';

/** Shows the frame to signed-in users; redirects others to the sign-in page and back. */
export function RequireSession() {
  const isSignedIn = useSession((state) => state.session !== null);
  const { pathname, search, hash } = useLocation();
  if (isSignedIn) return <LazyFrame />;
  rememberPath(pathname + withoutSso(search) + hash);
  return <Navigate to="/login" replace />;
}

function withoutSso(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('sso');
  return query.size > 0 ? `?${query.toString()}` : '';
}
