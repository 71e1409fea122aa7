/** What a newcomer is shown to do, and when that is over. */

export type WelcomeStep = 'run' | 'publish' | 'invite';

export interface WelcomeState {
  /** Whether the person was seen before their first run: those who have worked here for long are not welcomed. */
  isBegun: boolean;
  /** Steps that were followed. */
  followed: WelcomeStep[];
  isHidden: boolean;
}

const NOT_BEGUN: WelcomeState = { isBegun: false, followed: [], isHidden: false };

/** @param text as it was kept; null where nothing was */
export function readWelcome(text: string | null): WelcomeState {
  if (text === null) return NOT_BEGUN;
  try {
    return { ...NOT_BEGUN, ...(JSON.parse(text) as Partial<WelcomeState>) };
  } catch {
    return NOT_BEGUN;
  }
}

export interface Newcomer {
  /** Whether there is an activity that they may run. */
  canRun: boolean;
  canPublish: boolean;
  canInvite: boolean;
  hasRun: boolean;
}

/** The steps that are left; none where the welcome is over, or where there was no need of one. */
export function stepsLeft({ isBegun, followed, isHidden }: WelcomeState, person: Newcomer): WelcomeStep[] {
  if (isHidden || (!isBegun && person.hasRun)) return [];
  const offered: [WelcomeStep, boolean][] = [
    ['run', person.canRun && !person.hasRun],
    ['publish', person.canPublish],
    ['invite', person.canInvite],
  ];
  // Running is done when it was done, and not when somebody looked at a form.
  return offered
    .filter(([step, isOffered]) => isOffered && (step === 'run' || !followed.includes(step)))
    .map(([step]) => step);
}
