import type { AccessObject } from '#shared/contract/access-requests.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { useProfile, useRight } from '#renderer/app/profile.ts';
import { FailureState } from '#renderer/ui/states.tsx';
import { NoAccess } from './NoAccess.tsx';

interface AccessFailureProps {
  kind: AccessObject;
  id: number;
  error: unknown;
  onRetry: () => void;
}

const FORBIDDEN = 403;
const NOT_FOUND = 404;

/**
 * Replaces the page of an activity or a run that could not be fetched. The server answers in the same way if it does
 * not exist and if the user may not see it, so the user can ask for access either way. Administrators see everything:
 * for them it does not exist.
 */
export function AccessFailure({ kind, id, error, onRetry }: AccessFailureProps) {
  const isUserAdmin = useProfile()?.IsUserAdmin === true;
  const seesNone = useRight('sk.RunActivity') === false;
  const { status } = toFailure(error);
  // 403 also means that the user sees the activity, but lacks the right for this page.
  const isHidden = !isUserAdmin && (status === NOT_FOUND || (status === FORBIDDEN && seesNone));
  return isHidden ? <NoAccess kind={kind} id={id} /> : <FailureState error={error} onRetry={onRetry} />;
}
