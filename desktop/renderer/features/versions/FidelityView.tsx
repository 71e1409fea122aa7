import { Callout } from '@blueprintjs/core';
import { Error as ErrorIcon, Help, TickCircle, WarningSign } from '@blueprintjs/icons';
import type { FidelityReport } from '#shared/contract/fidelity.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { DifferenceTable } from './DifferenceTable.tsx';
import { ProblemTable } from './ProblemTable.tsx';
import { engineInWords, fidelityIntent, fidelitySentence, regionSentence } from './fidelity-text.ts';
import { NotComparedView } from './NotComparedView.tsx';
import './versions.css';

const ICONS = { none: <Help />, success: <TickCircle />, warning: <WarningSign />, danger: <ErrorIcon /> } as const;

const yesNo = (value: boolean): string => (value ? t('Yes') : t('No'));

type Unsupported = FidelityReport['Unsupported'][number];

const UNSUPPORTED: GridColumn<Unsupported>[] = [
  { key: 'Name', title: t('Function'), text: (row) => row.Name },
  { key: 'Sheet', title: t('Sheet'), text: (row) => row.Sheet },
  { key: 'Cell', title: t('Cell'), text: (row) => row.Cell },
  { key: 'FeedsOutput', title: t('Affects an output'), text: (row) => yesNo(row.FeedsOutput) },
];

/** Shows how far a recalculation of the workbook agrees with the values that Excel saved in it. */
export function FidelityView({ report }: { report: FidelityReport }) {
  const intent = fidelityIntent(report);
  return (
    <div className="rs-fidelity">
      <Callout intent={intent} icon={ICONS[intent]}>
        {fidelitySentence(report)}
      </Callout>
      <Counts report={report} />
      {report.Findings && <Findings findings={report.Findings} />}
      {report.Differences.length > 0 && <Differences report={report} />}
      <NotComparedView report={report} />
      {report.Unsupported.length > 0 && (
        <section>
          <h2>{t('Functions that cannot be recalculated')}</h2>
          <p className="rs-muted">
            {t(
              'Cells with these functions keep the value that Excel saved until a value they read changes. After that, they return an error.',
            )}
          </p>
          <DataGrid
            label={t('Functions that cannot be recalculated')}
            rows={report.Unsupported}
            columns={UNSUPPORTED}
            empty=""
          />
        </section>
      )}
      <Notes report={report} />
    </div>
  );
}

function Counts({ report }: { report: FidelityReport }) {
  const counts: [string, number | undefined][] = [
    [t('Formulas compared'), report.Formulas],
    [t('Equal'), report.Equal],
    [t('Different'), report.Different],
    [t('Different, affects an output'), report.DifferentFeedingOutputs],
    [t('Not compared'), report.NotCompared],
    [t('Not compared, affects an output'), report.NotComparedFeedingOutputs],
  ];
  return (
    <dl className="rs-counts">
      {counts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value === undefined ? (
              <span className="rs-muted">{t('not counted at that time')}</span>
            ) : (
              numberText(value)
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Points that an author may want to clarify. None of them prevents the workbook from running. */
function Findings({ findings }: { findings: NonNullable<FidelityReport['Findings']> }) {
  return (
    <section>
      <h2>{t('Findings')}</h2>
      <p className="rs-muted">
        {t('Assumptions, and places that may be handled differently from what the workbook intends.')}
      </p>
      <ProblemTable label={t('Findings')} problems={findings} />
    </section>
  );
}

function Differences({ report }: { report: FidelityReport }) {
  const { Different, Differences: rows } = report;
  return (
    <section>
      <h2>{t('Different values')}</h2>
      {rows.length < Different && (
        <p className="rs-muted">
          {t('The first {rowsCount} of {different}; those that outputs depend on come first.', {
            rowsCount: rows.length,
            different: Different,
          })}
        </p>
      )}
      <DifferenceTable differences={rows} />
    </section>
  );
}

function Notes({ report }: { report: FidelityReport }) {
  const { Volatile, ExternalLinks, Engine } = report;
  const region = regionSentence(report);
  return (
    <>
      {Volatile.length > 0 && (
        <p>
          {t(
            'Functions whose results can differ with each calculation: {volatile}. Cells that depend on them are not compared.',
            {
              volatile: Volatile.join(', '),
            },
          )}
        </p>
      )}
      {ExternalLinks.length > 0 && (
        <section>
          <h2>{t('Links to other workbooks')}</h2>
          <p className="rs-muted">
            {t('These links are not followed; the values that Excel saved for them are used.')}
          </p>
          <ul>
            {ExternalLinks.map((link) => (
              <li key={link} className="rs-mono">
                {link}
              </li>
            ))}
          </ul>
        </section>
      )}
      {region !== null && <p>{region}</p>}
      <p className="rs-muted">{t('Recalculated with {engineInWords}.', { engineInWords: engineInWords(Engine) })}</p>
    </>
  );
}
