import { Callout, Tag } from '@blueprintjs/core';
import { WarningSign } from '@blueprintjs/icons';
import type { CellChange, NamedChange, VersionChanges } from '#shared/contract/version-changes.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { EmptyState } from '#renderer/ui/states.tsx';
import { changesSentence, isUnchanged } from './changes-text.ts';
import './versions.css';

const CELLS: GridColumn<CellChange>[] = [
  { key: 'Sheet', title: t('Sheet'), text: (row) => row.Sheet },
  { key: 'Cells', title: t('Cells'), text: (row) => row.Cells },
  { key: 'Before', title: t('Before'), text: (row) => row.Before },
  { key: 'After', title: t('After'), text: (row) => row.After },
];

/** Lists the differences between two versions, incompatibilities first. */
export function VersionChangesView({ changes }: { changes: VersionChanges }) {
  const { Inputs, Outputs, Steps, Procedure = [], Workbook, Misfits } = changes;
  if (isUnchanged(changes) && Misfits.length === 0)
    return <EmptyState title={t('Nothing differs between these versions')} />;
  return (
    <div className="rs-changes">
      <IncompatibilitiesCallout incompatibilities={Misfits} />
      <p>{changesSentence(changes)}</p>
      <NamedChanges title={t('Procedure')} changes={Procedure} />
      <NamedChanges title={t('Inputs')} changes={Inputs} />
      <NamedChanges title={t('Outputs')} changes={Outputs} />
      <NamedChanges title={t('Steps')} changes={Steps} />
      {Workbook && (
        <>
          <NamedChanges title={t('Sheets')} changes={Workbook.Sheets} />
          <NamedChanges title={t('Names')} changes={Workbook.Names} />
          <CellChanges title={t('Formulas')} changes={Workbook.Formulas} count={Workbook.FormulaCount} />
          <CellChanges title={t('Constants')} changes={Workbook.Constants} count={Workbook.ConstantCount} />
        </>
      )}
    </div>
  );
}

/** Lists presets, schedules and links that no longer fit the version. Renders nothing if there are none. */
export function IncompatibilitiesCallout({ incompatibilities }: { incompatibilities: readonly string[] }) {
  if (incompatibilities.length === 0) return null;
  return (
    <Callout intent="warning" icon={<WarningSign />} title={t('No longer fits this version')}>
      <ul>
        {incompatibilities.map((text) => (
          <li key={text}>{said(text)}</li>
        ))}
      </ul>
    </Callout>
  );
}

const CHANGES = { Added: t('Added'), Removed: t('Removed'), Changed: t('Changed') } as const;

/** Other differences have the names of the columns on the workbook's sheets. */
const FIELDS: Readonly<Record<string, string>> = {
  Name: t('Name'),
  Description: t('Description'),
  Range: t('Range'),
  'Picker items': t('Picker items'),
  Place: t('Position'),
  Action: t('Action'),
  Signature: t('Signature'),
  Text: t('Text'),
  Type: t('Type'),
  Direction: t('Direction'),
  Default: t('Default value'),
  DefaultValue: t('Default value'),
};

const INTENTS = { Added: 'success', Removed: 'danger', Changed: 'primary' } as const;

function NamedChanges({ title, changes }: { title: string; changes: readonly NamedChange[] }) {
  if (changes.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul className="rs-change-list">
        {changes.map(({ Name, Change, Fields }) => (
          <li key={`${Change} ${Name}`}>
            <Tag minimal intent={INTENTS[Change]}>
              {CHANGES[Change]}
            </Tag>{' '}
            <strong>{Name}</strong>
            {Fields.length > 0 && (
              <dl className="rs-change-fields">
                {Fields.map(({ Field, Before, After }) => (
                  <div key={Field}>
                    <dt>{FIELDS[Field] ?? Field}</dt>
                    <dd>
                      <del>{Before === '' ? t('nothing') : Before}</del>{' '}
                      <ins>{After === '' ? t('nothing') : After}</ins>
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function CellChanges({ title, changes, count }: { title: string; changes: readonly CellChange[]; count: number }) {
  if (count === 0) return null;
  const listed = changes.reduce((sum, { Count }) => sum + Count, 0);
  return (
    <section>
      <h2>{title}</h2>
      {listed < count && (
        <p className="rs-muted">
          {t('The first {listed} of {count} cells.', { listed: numberText(listed), count: numberText(count) })}
        </p>
      )}
      <DataGrid label={title} rows={changes} columns={CELLS} empty="" filterable={changes.length > 10} />
    </section>
  );
}
