/** Proxies of Excel's API: assignments and requests are sent by `sync`, and loaded properties can be read after it. */
export type CellValue = string | number | boolean | null;

export interface ExcelRange {
  address: string;
  values: CellValue[][];
  /** As displayed. */
  text: string[][];
  valueTypes: string[][];
  numberFormat: (string | null)[][];
  rowCount: number;
  columnCount: number;
  format: { font: { bold: boolean }; autofitColumns(): void };
  load(properties: string): void;
  select(): void;
  getUsedRange(valuesOnly?: boolean): ExcelRange;
  getCell(row: number, column: number): ExcelRange;
  getBoundingRect(other: ExcelRange): ExcelRange;
}

export interface ExcelWorksheet {
  name: string;
  activate(): void;
  delete(): void;
  getRange(address: string): ExcelRange;
}

export interface ExcelContext {
  workbook: {
    getSelectedRange(): ExcelRange;
    worksheets: {
      items: ExcelWorksheet[];
      load(properties: string): void;
      add(name: string): ExcelWorksheet;
      getItem(name: string): ExcelWorksheet;
    };
    functions: { year(serial: number): { value: number; load(properties: string): void } };
  };
  sync(): Promise<void>;
}

export interface ExcelApi {
  run<T>(work: (context: ExcelContext) => Promise<T>): Promise<T>;
}
