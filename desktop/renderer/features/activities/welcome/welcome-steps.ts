/** The steps that a newcomer is shown, and when they are done. */

export type WelcomeStep = 'run' | 'publish' | 'invite';

export interface WelcomeState {
  /** True if the user was seen before their first run. Experienced users get no welcome. */
  isBegun: boolean;
  /** Steps that the user followed. */
  followed: WelcomeStep[];
  isHidden: boolean;
}

const NOT_STARTED: WelcomeState = { isBegun: false, followed: [], isHidden: false };

/** @param text the stored text; null if nothing is stored */
export function readWelcome(text: string | null): WelcomeState {
  if (text === null) return NOT_STARTED;
  try {
    return { ...NOT_STARTED, ...(JSON.parse(text) as Partial<WelcomeState>) };
  } catch {
    return NOT_STARTED;
  }
}

export interface Newcomer {
  /** True if there is an activity that they may run. */
  canRun: boolean;
  canPublish: boolean;
  canInvite: boolean;
  hasRun: boolean;
}

/** Returns the remaining steps; empty if the welcome is over or was not needed. */
export function stepsLeft({ isBegun, followed, isHidden }: WelcomeState, person: Newcomer): WelcomeStep[] {
  if (isHidden || (!isBegun && person.hasRun)) return [];
  const offered: [WelcomeStep, boolean][] = [
    ['run', person.canRun && !person.hasRun],
    ['publish', person.canPublish],
    ['invite', person.canInvite],
  ];
  // The run step is done only after a run, not after looking at a form.
  return offered
    .filter(([step, isOffered]) => isOffered && (step === 'run' || !followed.includes(step)))
    .map(([step]) => step);
}
