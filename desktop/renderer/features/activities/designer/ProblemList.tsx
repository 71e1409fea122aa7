import { WarningSign } from '@blueprintjs/icons';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { problemText, howToFixText } from './problem-texts.ts';
import { PlaceText } from './PlaceText.tsx';

interface ProblemListProps {
  problems: readonly WorkbookProblem[];
  onShow: (problem: WorkbookProblem) => void;
}

/** Nobody fixes more at one time; the next save lists the rest. */
const SHOWN = 200;

/** Lists the problems that prevent publishing, each with how to fix it. */
export function ProblemList({ problems, onShow }: ProblemListProps) {
  if (problems.length === 0) return <p className="rs-muted">{t('No problems. The workbook can be published.')}</p>;
  return (
    <ul className="rs-plain-list rs-problems">
      {problems.slice(0, SHOWN).map((problem) => (
        <li key={`${problem.Sheet}!${problem.Cell} ${problem.Message}`}>
          <WarningSign className="rs-danger-text" title={false} />
          <div>
            {problem.Cell !== '' && (
              <button type="button" className="rs-problem-place" onClick={() => onShow(problem)}>
                <PlaceText sheet={problem.Sheet} range={problem.Cell} />
              </button>
            )}{' '}
            {problemText(problem)} <span className="rs-muted">{howToFixText(problem)}</span>
          </div>
        </li>
      ))}
      {problems.length > SHOWN && (
        <li className="rs-muted">
          {t('These are the first {shown} of {faultsCount}.', {
            shown: SHOWN,
            faultsCount: numberText(problems.length),
          })}
        </li>
      )}
    </ul>
  );
}
