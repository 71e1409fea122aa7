import { HTMLTable } from '@blueprintjs/core';
import { Error as ErrorIcon, Minus, TickCircle, WarningSign } from '@blueprintjs/icons';
import type { CaseResult } from '#shared/contract/test-beds.ts';

const LOOKS = {
  Passed: { Icon: TickCircle, look: 'success', text: 'Passed' },
  Failed: { Icon: ErrorIcon, look: 'danger', text: 'Failed' },
  NotReplayed: { Icon: WarningSign, look: 'warning', text: 'Not replayed' },
} as const;

/** How a case ended, in a shape and a word. */
export function OutcomeTag({ result }: { result: CaseResult | null }) {
  if (!result) {
    return (
      <span className="rs-status rs-status-none">
        <Minus size={16} title={false} />
        <span>Never replayed</span>
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

/** Where a case differs from what is expected: messages, cells, and property checks. */
export function Findings({ name, result }: { name: string; result: CaseResult }) {
  const { Messages, Differences, DifferenceCount, Checks } = result;
  return (
    <div className="rs-testbed-findings">
      {Messages.map((message, at) => (
        <p key={at}>{message}</p>
      ))}
      {Differences.length > 0 && (
        <HTMLTable compact bordered aria-label={`Differences of ${name}`}>
          <thead>
            <tr>
              <th scope="col">Output</th>
              <th scope="col">Cell</th>
              <th scope="col">Expected</th>
              <th scope="col">Got</th>
            </tr>
          </thead>
          <tbody>
            {Differences.map(({ Output, Cell, Expected, Actual }, at) => (
              <tr key={at}>
                <td>{Output === '' ? 'Outcome' : Output}</td>
                <td>{Cell}</td>
                <td>{Expected}</td>
                <td>{Actual}</td>
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      )}
      {DifferenceCount > Differences.length && (
        <p className="rs-muted">
          These are the first {Differences.length} of {DifferenceCount.toLocaleString('en-US')} cells that differ.
        </p>
      )}
      {Checks.map(({ Name, Holds, Message }) => (
        <p key={Name} className={Holds ? 'rs-muted' : 'rs-danger-text'}>
          {Name}: {Holds ? 'holds' : 'does not hold'}, {Message}
        </p>
      ))}
    </div>
  );
}
