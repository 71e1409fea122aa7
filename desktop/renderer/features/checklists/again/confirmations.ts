/** What a person confirms of steps that change something outside the portal. */
import type { ResumedStep, ResumePlan } from '#shared/contract/checklist-resumes.ts';

type Effects = Pick<ResumedStep, 'StepKey' | 'Effects' | 'HasRun'>;

/** Identifies what a tick confirms: a step with its effects. With other versions, it may have more of them. */
export const confirmationOf = ({ StepKey, Effects, HasRun }: Effects): string =>
  JSON.stringify([StepKey, Effects, HasRun]);

/** Returns the keys of the steps whose effects, as the plan has them now, were confirmed. */
export const confirmedKeys = (
  plan: Pick<ResumePlan, 'Steps'> | undefined,
  confirmations: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set(
    plan?.Steps.flatMap((step) => (step.MustConfirm && confirmations.has(confirmationOf(step)) ? [step.StepKey] : [])),
  );
