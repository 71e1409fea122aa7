/** Log lines about the rows that a step read into a table, so that runs can be compared by what they read. */
const LINE = /^Step '(.+)': [\d,]+ rows? into the table .+, content ([0-9a-f]{8})$/;

export interface ReadMark {
  Step: string;
  /** Hash of the content: equal if the same rows were read in the same order. */
  mark: string;
}

export function readLine({ Step, mark }: ReadMark, rows: number, table: string): string {
  const count = `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
  return `Step '${Step}': ${count} into the table ${table}, content ${mark}`;
}

/** Returns null if the line is about something else. */
export function parseReadLine(line: string): ReadMark | null {
  const [, Step, mark] = LINE.exec(line) ?? [];
  return Step === undefined || mark === undefined ? null : { Step, mark };
}
