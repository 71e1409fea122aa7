import { runInThread } from '#server/base/run-in-thread.ts';
import { createConcurrencyLimit } from '#server/background/concurrency-limit.ts';
import { wholeSpecification } from '#shared/codecs/input-form.ts';
import type { RowInput } from './row-inputs.ts';
import type { RowColumn, RowWorkbook } from './row-workbook.ts';

/** Builds workbooks of rows in worker threads. */
export type BuildRows = (content: RowWorkbook) => Promise<Uint8Array>;

const THREAD = new URL('./row-workbook-thread.ts', import.meta.url);
const MEMORY_MB = 1024;

export function createRowWorkbookBuilder(): BuildRows {
  const limited = createConcurrencyLimit(2);
  return (content) => limited(() => runInThread<Uint8Array>(THREAD, content, { memory: MEMORY_MB }));
}

/** Returns the column of an input. */
export function inputColumn({ input, items }: RowInput): RowColumn {
  const { Info, Name, Description } = input;
  const isRequired = wholeSpecification(Info) === 'Required' && !Info.AllowDefaultValue && !Info.Blanks[0];
  const picker = Info.Pickers[0];
  return {
    header: Name,
    usage: Info.CellUsages[0] ?? 'Text',
    format: Info.Formats[0] ?? 'General',
    note: Description,
    isRequired,
    items: picker?.PreventOtherValues ? items : null,
    rule: Info.Rules?.at(-1) ?? null,
    isResult: false,
  };
}
