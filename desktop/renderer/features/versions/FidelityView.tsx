import { Callout } from '@blueprintjs/core';
import { Error as ErrorIcon, Help, TickCircle, WarningSign } from '@blueprintjs/icons';
import type { FidelityReport } from '#shared/contract/fidelity.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { DifferenceTable } from './DifferenceTable.tsx';
import { FaultTable } from './FaultTable.tsx';
import { engineInWords, fidelityIntent, fidelitySentence, regionSentence } from './fidelity-text.ts';
import { NotComparedView } from './NotComparedView.tsx';
import './versions.css';

const ICONS = { none: <Help />, success: <TickCircle />, warning: <WarningSign />, danger: <ErrorIcon /> } as const;

const yesNo = (value: boolean): string => (value ? 'Yes' : 'No');

type Unsupported = FidelityReport['Unsupported'][number];

const UNSUPPORTED: GridColumn<Unsupported>[] = [
  { key: 'Name', title: 'Function', text: (row) => row.Name },
  { key: 'Sheet', title: 'Sheet', text: (row) => row.Sheet },
  { key: 'Cell', title: 'Cell', text: (row) => row.Cell },
  { key: 'FeedsOutput', title: 'Output depends on it', text: (row) => yesNo(row.FeedsOutput) },
];

/** How far recalculating a workbook agrees with what Excel saved in it. */
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
          <h2>Functions that cannot be recalculated</h2>
          <p className="rs-muted">
            Cells with these functions keep the value that Excel saved until something they read changes; then they give
            an error.
          </p>
          <DataGrid
            label="Functions that cannot be recalculated"
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
    ['Formulas compared', report.Formulas],
    ['Equal', report.Equal],
    ['Different', report.Different],
    ['Different, output depends on it', report.DifferentFeedingOutputs],
    ['Not compared', report.NotCompared],
    ['Not compared, output depends on it', report.NotComparedFeedingOutputs],
  ];
  return (
    <dl className="rs-counts">
      {counts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value?.toLocaleString('en') ?? <span className="rs-muted">not counted then</span>}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What an author may want to say more clearly: nothing of it keeps the workbook from running. */
function Findings({ findings }: { findings: NonNullable<FidelityReport['Findings']> }) {
  return (
    <section>
      <h2>Findings</h2>
      <p className="rs-muted">What was guessed, or is done otherwise than the workbook may mean it.</p>
      <FaultTable label="Findings" faults={findings} />
    </section>
  );
}

function Differences({ report }: { report: FidelityReport }) {
  const { Different, Differences: rows } = report;
  return (
    <section>
      <h2>Different values</h2>
      {rows.length < Different && (
        <p className="rs-muted">
          The first {rows.length} of {Different}, those that outputs depend on first.
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
          Functions that no second calculation repeats: {Volatile.join(', ')}. Cells that depend on them are not
          compared.
        </p>
      )}
      {ExternalLinks.length > 0 && (
        <section>
          <h2>Links to other workbooks</h2>
          <p className="rs-muted">They are not followed: the values that Excel saved for them are used.</p>
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
      <p className="rs-muted">Recalculated with {engineInWords(Engine)}.</p>
    </>
  );
}
