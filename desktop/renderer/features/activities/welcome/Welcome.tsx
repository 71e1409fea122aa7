import { Button } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import { useEffect } from 'react';
import type { ActivityList } from '#shared/contract/activities.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { useIsProfileLoading, useRight } from '#renderer/app/profile.ts';
import { useSession } from '#renderer/app/session.ts';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { useLoadingTimeout } from '#renderer/ui/use-loading-timeout.ts';
import { useMarks, useMarksQuery } from '../list/use-marks.ts';
import { stepsLeft, type WelcomeStep } from './welcome-steps.ts';
import { changeWelcome, useWelcome } from './welcome-state.ts';

interface StepText {
  title: string;
  text: string;
  button: string;
  to: string;
}

/** Maximum time in milliseconds that the list waits for the welcome. Most people have none. */
const WELCOME_MS = 200;

/**
 * Returns true while it is unknown whether this user gets a welcome. The list below waits for that, so that it does not
 * move down later.
 */
export function useIsWelcomeLoading(): boolean {
  const userName = useSession(({ session }) => session?.userName ?? '');
  const { isHidden } = useWelcome(userName);
  const { isLoading } = useMarksQuery();
  const isProfileLoading = useIsProfileLoading();
  const isAway = useServerReason() !== undefined;
  return useLoadingTimeout(!isAway && !isHidden && (isLoading || isProfileLoading), WELCOME_MS);
}

/** First steps for a newcomer. The section disappears after its steps are done. */
export function Welcome({ list }: { list: ActivityList }) {
  const userName = useSession(({ session }) => session?.userName ?? '');
  const state = useWelcome(userName);
  const marks = useMarks();
  const isAway = useServerReason() !== undefined;
  const canPublish = useRight('sk.CreateActivity') === true;
  const canInvite = useRight('sk.ManageUsers') === true;
  const sample = list.Activities.find(({ CanRun }) => CanRun);
  const hasRun = marks !== undefined && marks.Activities.Recent.length + marks.Checklists.Recent.length > 0;
  const person = { canRun: sample !== undefined, canPublish, canInvite, hasRun };
  const steps = marks === undefined ? [] : stepsLeft(state, person);
  const isShown = steps.length > 0;
  const isBegun = state.isBegun;
  // Store that this user is no newcomer, so that the list does not wait for this check again.
  const isNoNewcomer = hasRun && !isBegun && !state.isHidden;
  useEffect(() => {
    if (isShown && !isBegun) changeWelcome(userName, (before) => ({ ...before, isBegun: true }));
    if (isNoNewcomer) changeWelcome(userName, (before) => ({ ...before, isHidden: true }));
  }, [isShown, isBegun, isNoNewcomer, userName]);
  if (!isShown) return null;
  const texts: Record<WelcomeStep, StepText> = {
    run: {
      title: t('Run an activity'),
      text: t('Fill in its form, press Start, and look at the numbers.'),
      button: t('Run {name}', { name: sample?.Name ?? '' }),
      to: `/activities/run/${sample?.Id ?? ''}/`,
    },
    publish: {
      title: t('Publish your own'),
      text: t(
        'Upload any Excel workbook, and mark what people fill in and what they get. It then becomes an activity.',
      ),
      button: t('Upload a workbook'),
      to: '/activities/new/',
    },
    invite: {
      title: t('Invite someone'),
      text: t("Create a user, and share an activity with them from the activity's page."),
      button: t('Create user'),
      to: '/newuser/',
    },
  };
  const follow = (step: WelcomeStep): void =>
    changeWelcome(userName, (before) => ({ ...before, followed: [...before.followed, step] }));
  return (
    <section className="rs-card rs-welcome" aria-label={t('Welcome')}>
      <div className="rs-welcome-head">
        <h2>{t('Welcome')}</h2>
        <Button
          variant="minimal"
          size="small"
          icon={<Cross />}
          aria-label={t('Hide welcome')}
          onClick={() => changeWelcome(userName, (before) => ({ ...before, isHidden: true }))}
        />
      </div>
      <ol className="rs-welcome-steps">
        {steps.map((step, index) => (
          <li key={step}>
            <strong>{texts[step].title}</strong>
            <span className="rs-muted">{texts[step].text}</span>
            <span onClickCapture={() => (step === 'run' || !isAway) && follow(step)}>
              <LinkButton
                to={texts[step].to}
                needsServer={step !== 'run'}
                text={texts[step].button}
                intent={index === 0 ? 'primary' : 'none'}
                variant={index === 0 ? 'solid' : 'outlined'}
              />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
