import { useState } from 'react';
import type { FidelityReport, NotComparedCell, NotComparedOutput } from '#shared/contract/fidelity.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { notComparedReason } from './fidelity-text.ts';

const OUTPUTS: GridColumn<NotComparedOutput>[] = [
  { key: 'Output', title: t('Output'), text: (row) => row.Output },
  { key: 'Sheet', title: t('Sheet'), text: (row) => row.Sheet },
  { key: 'Cell', title: t('Cell not compared'), text: (row) => row.Cell },
  { key: 'Reason', title: t('Reason'), text: (row) => notComparedReason(row.Reason) },
];

const CELLS: GridColumn<NotComparedCell>[] = [
  { key: 'Sheet', title: t('Sheet'), text: (row) => row.Sheet },
  { key: 'Cell', title: t('Cell'), text: (row) => row.Cell },
  { key: 'FeedsOutput', title: t('Affects an output'), text: (row) => (row.FeedsOutput ? t('Yes') : t('No')) },
  { key: 'DependsOn', title: t('Cause'), text: (row) => row.DependsOn ?? '' },
  { key: 'Formula', title: t('Formula'), text: (row) => row.Formula },
];

type ReasonCount = NonNullable<FidelityReport['NotComparedReasons']>[number];

/**
 * Lists formulas that were not compared, the reasons, and the outputs that depend on them. Renders nothing if all were
 * compared or the report does not know.
 */
export function NotComparedView({ report }: { report: FidelityReport }) {
  const { NotComparedReasons = [], NotComparedCells = [], NotComparedOutputs = [] } = report;
  if (NotComparedReasons.length === 0) return null;
  return (
    <>
      {NotComparedOutputs.length > 0 && (
        <section>
          <h2>{t('Outputs that depend on formulas not compared')}</h2>
          <DataGrid
            label={t('Outputs that depend on formulas not compared')}
            rows={NotComparedOutputs}
            columns={OUTPUTS}
            empty=""
            filterable={NotComparedOutputs.length > 10}
          />
        </section>
      )}
      <section>
        <h2>{t('Formulas not compared')}</h2>
        {NotComparedReasons.map((reason) => (
          <Reason
            key={reason.Reason}
            reason={reason}
            cells={NotComparedCells.filter(({ Reason }) => Reason === reason.Reason)}
          />
        ))}
      </section>
    </>
  );
}

function Reason({ reason: { Reason, Formulas }, cells }: { reason: ReasonCount; cells: NotComparedCell[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const title = notComparedReason(Reason);
  return (
    <details className="rs-not-compared" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {title}: <span className="rs-not-compared-count">{numberText(Formulas)}</span>
      </summary>
      {isOpen && cells.length < Formulas && (
        <p className="rs-muted">
          {t('{count} of {total}; those that outputs depend on come first.', {
            count: numberText(cells.length),
            total: numberText(Formulas),
          })}
        </p>
      )}
      {isOpen && <DataGrid label={title} rows={cells} columns={CELLS} empty="" filterable={cells.length > 10} />}
    </details>
  );
}
