import { Callout, Checkbox } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import type { ResumedStep, ResumePlan } from '#shared/contract/checklist-resumes.ts';
import { listText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { Card } from '#renderer/ui/Page.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { confirmationOf } from './confirmations.ts';
import { effectText, reasonText } from './plan-texts.ts';
import './again.css';

interface AgainPlanProps {
  plan: ResumePlan;
  isLatest: boolean;
  onLatest: (isLatest: boolean) => void;
  /** Keys of the steps whose effects were confirmed. */
  confirmed: ReadonlySet<string>;
  /** @param confirmation see confirmationOf */
  onConfirm: (confirmation: string, isConfirmed: boolean) => void;
}

/** What the new run runs again and reuses, before it is started. */
export function AgainPlan({ plan, isLatest, onLatest, confirmed, onConfirm }: AgainPlanProps) {
  const { Steps, Problem, NewerVersions } = plan;
  const that = (will: ResumedStep['Will']): ResumedStep[] => Steps.filter(({ Will }) => Will === will);
  const [again, reused, notRun] = [that('Run'), that('Reuse'), that('NotRun')];
  const effective = Steps.filter(({ MustConfirm }) => MustConfirm);
  return (
    <Card title={t('What happens')}>
      {Problem !== null && <Callout intent="danger">{said(Problem)}</Callout>}
      <Part
        title={t('{count, plural, one {1 step runs} other {# steps run}}', { count: again.length })}
        steps={again}
      />
      {notRun.length > 0 && <Part title={t('Not run')} steps={notRun} />}
      <h3>{t('Reused')}</h3>
      <p className="rs-muted">
        {reused.length === 0 ? t('Nothing') : listText(reused.map(({ StepName }) => StepName))}
      </p>
      {(NewerVersions.length > 0 || isLatest) && (
        <Checkbox checked={isLatest} onChange={(event) => onLatest(event.currentTarget.checked)}>
          {NewerVersions.length === 0
            ? t('Use the latest versions')
            : t('Use the latest versions of {newerVersions}', { newerVersions: listText(NewerVersions) })}
        </Checkbox>
      )}
      {effective.length > 0 && (
        <Callout intent="warning" title={t('These steps change something outside the portal. Confirm each of them.')}>
          {effective.map((step) => (
            <Checkbox
              key={step.StepKey}
              checked={confirmed.has(step.StepKey)}
              onChange={(event) => onConfirm(confirmationOf(step), event.currentTarget.checked)}
            >
              {effectText(step)}
            </Checkbox>
          ))}
        </Callout>
      )}
    </Card>
  );
}

function Part({ title, steps }: { title: string; steps: readonly ResumedStep[] }): ReactNode {
  return (
    <>
      <h3>{title}</h3>
      <ul className="rs-again-steps" aria-label={title}>
        {steps.map((step) => {
          const reason = reasonText(step);
          return (
            <li key={step.StepKey}>
              {step.StepName}
              {reason !== '' && <span className="rs-muted">: {reason}</span>}{' '}
              <span className="rs-muted rs-nowrap">
                ({t('before:')} <StatusTag status={step.Status} />)
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
