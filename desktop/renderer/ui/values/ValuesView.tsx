import { Button } from '@blueprintjs/core';
import { Download, Link } from '@blueprintjs/icons';
import { useCallback, useMemo } from 'react';
import { isFileValue, isSingleValue, type ValueTable } from '#shared/codecs/value-table.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { PrintedTable } from '#renderer/ui/grid/PrintedTable.tsx';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { FileSize } from '#renderer/ui/texts.tsx';
import { usePrinting } from '#renderer/ui/use-printing.ts';
import { copyDocumentLink } from './copy-document-link.ts';
import { dragOf } from '#renderer/ui/drag-file.ts';
import { startDownload } from '#renderer/ui/downloads.ts';
import { t } from '#renderer/language/translate.ts';
import { singleText, valueTable } from './output-values.ts';
import type { ChosenPlots } from './use-chosen-plots.ts';
import { tableColumns } from './table-columns.ts';
import './values.css';

// Loaded on demand: grids are the largest part of the code, and most forms calculate no tables.
const ValueTableView = lazyPart(
  async () => (await import('./ValueTableView.tsx')).ValueTableView,
  <Skeleton kind="grid" />,
);

export interface ShownFile {
  name: string;
  /** In bytes; null if unknown. */
  size: number | null;
  /** Null if the user may not download it. */
  token: (() => Promise<string>) | null;
  /** Document id that the file's link contains; only for files that a run created. */
  documentId?: string;
}

/** An input or output of a run, ready for display. */
export interface ShownValue {
  id: number;
  name: string;
  description: string;
  info: InputInfo | OutputInfo;
  json: string | null;
  /** The formula that calculated the value; absent if none did. */
  formula?: string;
  /** Shown instead of a value: 'Default of the workbook'. */
  note: string;
  files: ShownFile[];
  /** Null if there is nothing to download yet. */
  tableToken: ((rows: number[] | null) => Promise<string>) | null;
}

interface ValuesViewProps {
  values: readonly ShownValue[];
  tone: 'input' | 'output';
  /** Receives the visible rows of each table, by the value's id. */
  chosen?: Map<number, readonly number[] | null> | undefined;
  /** Plots shown elsewhere; absent if each table shows its plot itself. */
  plots?: ChosenPlots | undefined;
}

/** Shows single values and files as a list, and tables below it. */
export function ValuesView({ values, tone, chosen, plots }: ValuesViewProps) {
  const listed = values.filter((value) => value.note !== '' || isSingleValue(value.info) || isFileValue(value.info));
  const tables = values.filter((value) => !listed.includes(value));
  return (
    <>
      {listed.length > 0 && (
        <dl className="rs-values">
          {listed.map((value) => (
            <div key={value.id}>
              <dt title={value.description || undefined}>{value.name}</dt>
              <dd>
                <SingleValue value={value} />
                <Formula value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {tables.map((value) => (
        <TableValue key={value.id} value={value} tone={tone} chosen={chosen} plots={plots} />
      ))}
    </>
  );
}

function Formula({ value: { formula } }: { value: ShownValue }) {
  return formula === undefined ? null : <div className="rs-value-formula rs-mono rs-muted">{formula}</div>;
}

export function SingleValue({ value }: { value: ShownValue }) {
  if (value.note !== '') return <span className="rs-muted">{value.note}</span>;
  if (isFileValue(value.info)) return <FileLinks files={value.files} />;
  const text = singleText(value.json, value.info);
  if (text === '') return <span className="rs-muted">{t('blank')}</span>;
  if (value.info.CellUsages[0] === 'Html') return <HtmlValue html={text} name={value.name} />;
  const isError = value.json?.startsWith('{"error"') ?? false;
  return <span className={isError ? 'rs-value rs-danger-text' : 'rs-value'}>{text}</span>;
}

function FileLinks({ files }: { files: readonly ShownFile[] }) {
  if (files.length === 0) return <span className="rs-muted">{t('no file')}</span>;
  return (
    <ul className="rs-file-links">
      {files.map((file, index) => (
        <li key={index}>
          <FileLink file={file} />
          {file.documentId !== undefined && <CopyLink name={file.name} documentId={file.documentId} />}
          {file.size !== null && (
            <span className="rs-muted">
              <FileSize bytes={file.size} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function FileLink({ file: { name, token } }: { file: ShownFile }) {
  if (token === null) return <span className="rs-value">{name}</span>;
  return (
    <Button
      variant="minimal"
      size="small"
      intent="primary"
      icon={<Download />}
      text={name}
      aria-label={t('Download {name}', { name })}
      onClick={() => void startDownload(token())}
      {...dragOf(token)}
    />
  );
}

function CopyLink({ name, documentId }: { name: string; documentId: string }) {
  return (
    <Button
      variant="minimal"
      size="small"
      icon={<Link />}
      title={t('Copy link')}
      aria-label={t('Copy the link to {name}', { name })}
      onClick={() => void copyDocumentLink(documentId)}
    />
  );
}

/**
 * HTML from a workbook is untrusted. The frame has no scripts, no outgoing links, and no access to the portal's
 * session.
 */
function HtmlValue({ html, name }: { html: string; name: string }) {
  return <iframe className="rs-html-value" title={name} sandbox="" srcDoc={html} />;
}

function TableValue({ value, tone, chosen, plots }: Omit<ValuesViewProps, 'values'> & { value: ShownValue }) {
  const { id, json, info, name } = value;
  const table = useMemo(() => valueTable(json, info, name), [json, info, name]);
  const onRows = useCallback((rows: number[] | null) => void chosen?.set(id, rows), [chosen, id]);
  const isPrinting = usePrinting();
  return (
    <>
      {isPrinting && <PrintedValueTable label={name} table={table} />}
      <Formula value={value} />
      <ValueTableView
        onRows={onRows}
        label={name}
        table={table}
        tone={tone}
        download={value.tableToken}
        plot={plots && { isShown: plots.isChosen(name), toggle: () => plots.toggle(name) }}
      />
    </>
  );
}

/**
 * All rows and columns, regardless of filters and hidden columns. Not loaded on demand, because printing does not wait
 * for code to load.
 */
function PrintedValueTable({ label, table }: { label: string; table: ValueTable }) {
  const columns = useMemo(() => tableColumns(table), [table]);
  return (
    <div className="rs-printed-value">
      <h3>{label}</h3>
      <PrintedTable columns={columns} rows={table.rows} />
    </div>
  );
}
