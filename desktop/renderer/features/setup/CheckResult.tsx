import { Disable, InfoSign, TickCircle, WarningSign } from '@blueprintjs/icons';
import { isProblem, type Finding, type SetupCheck, type SetupState } from '#shared/contract/setup.ts';
import { t } from '#renderer/language/translate.ts';
import { findingText } from './finding-text.ts';

const STATES: Readonly<Record<SetupState, { text: string; intent: string; Icon: typeof TickCircle }>> = {
  Good: { text: t('Good'), intent: 'success', Icon: TickCircle },
  Attention: { text: t('Needs attention'), intent: 'warning', Icon: WarningSign },
  Off: { text: t('Not set up'), intent: 'none', Icon: Disable },
};

export function StateMark({ state }: { state: SetupState }) {
  const { text, intent, Icon } = STATES[state];
  return (
    <span className={`rs-status rs-status-${intent}`}>
      <Icon size={14} title={false} />
      {text}
    </span>
  );
}

/** Problems have an icon with a name, so that they can be told apart without colours. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul className="rs-plain-list rs-setup-findings">
      {findings.map((finding, index) => (
        <li key={index} className={isProblem(finding) ? 'rs-setup-problem' : undefined}>
          {isProblem(finding) ? <WarningSign size={14} title={t('Problem')} /> : <InfoSign size={14} title={false} />}
          <span>{findingText(finding)}</span>
        </li>
      ))}
    </ul>
  );
}

export function CheckResult({ result }: { result: SetupCheck }) {
  return (
    <>
      <StateMark state={result.State} />
      <FindingList findings={result.Findings} />
    </>
  );
}
