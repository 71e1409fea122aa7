import { HTMLTable } from '@blueprintjs/core';
import { Error as ErrorIcon, Minus, TickCircle, WarningSign } from '@blueprintjs/icons';
import type { CaseResult } from '#shared/contract/test-beds.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';

const LOOKS = {
  Passed: { Icon: TickCircle, look: 'success', text: t('Passed') },
  Failed: { Icon: ErrorIcon, look: 'danger', text: t('Failed') },
  NotReplayed: { Icon: WarningSign, look: 'warning', text: t('Not replayed') },
} as const;

/** The outcome of a case, as a shape and a word. */
export function OutcomeTag({ result }: { result: CaseResult | null }) {
  if (!result) {
    return (
      <span className="rs-status rs-status-none">
        <Minus size={16} title={false} />
        <span>{t('Never replayed')}</span>
      </span>
    );
  }
  const { Icon, look, text } = LOOKS[result.Outcome];
  return (
    <span className={`rs-status rs-status-${look}`}>
      <Icon size={16} title={false} />
      <span>{text}</span>
    </span>
  );
}

export const hasFindings = (result: CaseResult | null): result is CaseResult =>
  result !== null && (result.Messages.length > 0 || result.Differences.length > 0 || result.Checks.length > 0);

/** Maximum length of a value that must not wrap: a wrapped number could be misread. */
const ON_ONE_LINE = 18;
const lookOf = (value: string): string | undefined => (value.length <= ON_ONE_LINE ? 'rs-testbed-short' : undefined);

/** Lists how a case differs from what is expected: messages, cells and property checks. */
export function Findings({ name, result }: { name: string; result: CaseResult }) {
  const { Messages, Differences, DifferenceCount, Checks } = result;
  return (
    <div
      className="rs-testbed-findings"
      role="group"
      aria-label={t('Result of {name}', { name })}
      // A scrolling element must be focusable for keyboard users.
      tabIndex={0}
    >
      {Messages.map((message, at) => (
        <p key={at}>{said(message)}</p>
      ))}
      {Differences.length > 0 && (
        <HTMLTable compact bordered aria-label={t('Differences of {name}', { name })}>
          <thead>
            <tr>
              <th scope="col">{t('Output')}</th>
              <th scope="col">{t('Cell')}</th>
              <th scope="col">{t('Expected')}</th>
              <th scope="col">{t('Actual')}</th>
            </tr>
          </thead>
          <tbody>
            {Differences.map(({ Output, Cell, Expected, Actual }, at) => (
              <tr key={at}>
                <td>
                  {Output === '' ? t('Outcome') : Output}
                  <div className="rs-testbed-place">{said(Cell)}</div>
                </td>
                <td>{said(Cell)}</td>
                <td className={lookOf(Expected)}>{Expected}</td>
                <td className={lookOf(Actual)}>{Actual}</td>
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      )}
      {DifferenceCount > Differences.length && (
        <p className="rs-muted">
          {t('These are the first {count} of {total} cells that differ.', {
            count: Differences.length,
            total: numberText(DifferenceCount),
          })}
        </p>
      )}
      {Checks.map(({ Name, Holds, Message }) => (
        <p key={Name} className={Holds ? 'rs-muted' : 'rs-danger-text'}>
          {Name}: {Holds ? t('met') : t('not met')}, {said(Message)}
        </p>
      ))}
    </div>
  );
}
