import { said, t } from '#renderer/language/translate.ts';
import type { FidelityReport } from '#shared/contract/fidelity.ts';
import { Button, Note, Problem } from './parts.tsx';
import type { Findings } from './publishing.ts';
import { useTask } from './use-task.ts';
import { selectCell } from './workbook.ts';

/** Maximum number of lines; the portal shows the rest. */
const MAX_LINES = 50;

interface Line {
  Sheet: string;
  Cell: string;
  text: string;
  /** Shown muted below. */
  note?: string;
}

interface ReportProps {
  findings: Findings;
  accepted: readonly string[];
  accept: (name: string) => void;
}

/** The findings in the workbook, each with its cell. */
export function Report({ findings, accepted, accept }: ReportProps) {
  const { problems: found, unsupported, fidelity } = findings;
  const problems = found.map((one) => ({ ...one, text: said(one.Message), note: said(one.Remedy) }));
  const nothing = problems.length === 0 && unsupported.length === 0 && fidelity === null;
  return (
    <section aria-label={t('Report')}>
      <h2>{t('Report')}</h2>
      {nothing && <Note>{t('No problems or findings.')}</Note>}
      <Lines title={t('Problems')} lines={problems} />
      {unsupported.length > 0 && (
        <fieldset className="rs-pane-accept">
          <legend>{t('Functions that cannot be calculated')}</legend>
          <p className="rs-muted">{t('If you accept a function, its formulas keep the values that Excel saved.')}</p>
          {unsupported.map((name) => (
            <label key={name}>
              <input type="checkbox" checked={accepted.includes(name)} onChange={() => accept(name)} /> {name}
            </label>
          ))}
        </fieldset>
      )}
      {fidelity && <Fidelity report={fidelity} />}
    </section>
  );
}

function Fidelity({ report }: { report: FidelityReport }) {
  const { Formulas, Equal, Different, NotCompared = 0, Findings = [] } = report;
  return (
    <>
      <Note tone={Different > 0 ? 'warning' : 'success'}>
        {t(
          '{equal} of {formulas, plural, one {# formula} other {# formulas}} {equal, plural, one {has} other {have}} the value that Excel shows.',
          { equal: Equal, formulas: Formulas },
        )}
      </Note>
      <Lines
        title={t('Findings')}
        lines={Findings.map((one) => ({ ...one, text: said(one.Message), remedy: said(one.Remedy) }))}
      />
      <Lines
        title={t('Different values')}
        all={Different}
        lines={report.Differences.map(({ Saved, Got, Reason, ...location }) => ({
          ...location,
          text: t('Excel: {saved}, calculated: {got}', { saved: Saved, got: Got }),
          remedy: said(Reason),
        }))}
      />
      <Lines
        title={t('Not calculated')}
        lines={report.Unsupported.map(({ Name, ...location }) => ({ ...location, text: Name }))}
      />
      <Lines
        title={t('Not compared')}
        all={NotCompared}
        lines={(report.NotComparedCells ?? []).map(({ Formula, Reason, ...location }) => ({
          ...location,
          text: `=${Formula}`,
          remedy: reasonText(Reason),
        }))}
      />
    </>
  );
}

function reasonText(reason: NonNullable<FidelityReport['NotComparedCells']>[number]['Reason']): string {
  switch (reason) {
    case 'Volatile':
      return t('It depends on the time, on random numbers or on the computer');
    case 'CircularReference':
      return t('It depends on a circular reference');
    case 'Unsupported':
      return t('It depends on a function that cannot be calculated');
    case 'ExternalLink':
      return t('It depends on another workbook');
    case 'NoSavedValue':
      return t('The file has no value for it');
    case 'LargeArray':
      return t('It fills more cells than are compared');
  }
}

/** Lists findings; each links to its cell. */
function Lines({ title, lines, all = lines.length }: { title: string; lines: readonly Line[]; all?: number }) {
  const task = useTask();
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{`${title} (${all})`}</h3>
      <ul className="rs-pane-lines">
        {lines.slice(0, MAX_LINES).map((line, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a cell may have several
          <li key={at}>
            {line.Cell !== '' && (
              <Button variant="link" onClick={() => void task.run(() => selectCell(line.Sheet, line.Cell))}>
                {`${line.Sheet}!${line.Cell}`}
              </Button>
            )}
            <span className="rs-pane-break">{line.text}</span>
            {line.note && <span className="rs-muted">{line.note}</span>}
          </li>
        ))}
      </ul>
      {all > MAX_LINES && (
        <p className="rs-muted">{t('The first {count} are shown here; the portal shows all.', { count: MAX_LINES })}</p>
      )}
      <Problem text={task.problem} />
    </>
  );
}
