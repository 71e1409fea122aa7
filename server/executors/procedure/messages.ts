/** Writes the messages of a running procedure to the log. */
import { Category, LogCode } from '#shared/rules/log-codes.ts';
import type { RunLogLine } from '../executor.ts';
import type { ProcedureMessage } from '../procedure-call.ts';

/** Maximum number of logged messages per run; further messages are only counted. */
const MAX_LINES = 1000;
const MAX_LINE_LENGTH = 8000;

export interface Messages {
  add(message: ProcedureMessage): void;
  /** Logs how many further messages were not stored. */
  end(): void;
  /** True if the procedure raised a warning. */
  readonly warned: boolean;
}

export function createMessages(say: (line: RunLogLine) => void): Messages {
  let count = 0;
  let warned = false;
  let ended = false;
  const line = (Message: string, category: number): void =>
    say({ Message, StatusCode: LogCode.ProcedureSaid, Category: category });
  return {
    get warned() {
      return warned;
    },
    add: ({ text, severity }) => {
      const isWarning = severity === 'WARNING';
      warned ||= isWarning;
      count += 1;
      if (count > MAX_LINES) return;
      const rest = text.length - MAX_LINE_LENGTH;
      const cut = `… (${rest.toLocaleString('en')} more ${rest === 1 ? 'character' : 'characters'})`;
      const shown = rest > 0 ? `${text.slice(0, MAX_LINE_LENGTH)} ${cut}` : text;
      line(shown, isWarning ? Category.Warning : Category.Information);
    },
    end: () => {
      if (ended) return;
      ended = true;
      const more = count - MAX_LINES;
      if (more > 0)
        line(
          more === 1
            ? '1 further message of the procedure is not stored'
            : `${more.toLocaleString('en')} further messages of the procedure are not stored`,
          Category.Information,
        );
    },
  };
}
