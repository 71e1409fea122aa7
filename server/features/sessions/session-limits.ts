/** How long a session lasts. */

export interface SessionLimits {
  inactivityMinutes: number;
  /** Counted from the sign-in. */
  sessionHours: number;
}

/** Ages in seconds, by database time. */
export interface SessionAges {
  /** Since the session began. */
  startedFor: number;
  /** Since it was last used. */
  idleFor: number;
  /** Since it ended at the single sign-on provider; null for sessions without a provider. */
  ssoExpiredFor: number | null;
}

/**
 * The client signs out after the inactivity timeout itself. The server allows extra time for clock differences, delayed
 * use notes and pending calls.
 */
const INACTIVITY_GRACE_SECONDS = 60;

/** Returns whether the session is over: at the provider, by its age, or by inactivity. */
export function isOver(
  { ssoExpiredFor, startedFor, idleFor }: SessionAges,
  { sessionHours, inactivityMinutes }: SessionLimits,
): boolean {
  return (
    (ssoExpiredFor !== null && ssoExpiredFor >= 0) ||
    startedFor > sessionHours * 3600 ||
    idleFor > inactivityMinutes * 60 + INACTIVITY_GRACE_SECONDS
  );
}
