/** How long a session lasts. */

export interface SessionLimits {
  inactivityMinutes: number;
  /** From the sign-in on. */
  sessionHours: number;
}

/** Ages in seconds, by database time. */
export interface SessionAges {
  /** Since the session began. */
  startedFor: number;
  /** Since it was last used. */
  idleFor: number;
  /** Since it ended at the provider that signed the person in; null for other sessions. */
  ssoExpiredFor: number | null;
}

/** The client signs out after the inactivity timeout itself; the server allows for its clock, notes and calls under way. */
const INACTIVITY_GRACE_SECONDS = 60;

/** Whether the session has come to its end: at the provider, by its age, or because nobody used it. */
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
