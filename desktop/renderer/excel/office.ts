/**
 * The parts of Office.js, provided by Microsoft's script, that the pane uses, as promises. Source:
 * learn.microsoft.com/javascript/api/office and /excel.
 */
import type { ExcelApi } from './excel-types.ts';

interface AsyncResult<T> {
  status: 'succeeded' | 'failed';
  value: T;
  error?: { code: number; name: string; message: string };
}
type Callback<T> = (result: AsyncResult<T>) => void;

interface OfficeFile {
  size: number;
  sliceCount: number;
  getSliceAsync(index: number, done: Callback<{ data: ArrayLike<number>; index: number; size: number }>): void;
  closeAsync(done?: Callback<void>): void;
}

export interface OfficeDialog {
  close(): void;
  addEventHandler(type: string, handler: (event: { message?: string; origin?: string; error?: number }) => void): void;
}

export interface OfficeApi {
  onReady(): Promise<{ host: string | null; platform: string | null }>;
  context: {
    displayLanguage?: string;
    officeTheme?: { bodyBackgroundColor?: string };
    requirements: { isSetSupported(name: string, version?: string): boolean };
    document: {
      url?: string | null;
      getFileAsync(type: 'compressed', options: { sliceSize: number }, done: Callback<OfficeFile>): void;
    };
    ui: {
      displayDialogAsync(url: string, options: { height: number; width: number }, done: Callback<OfficeDialog>): void;
      messageParent(message: string): void;
      openBrowserWindow?(url: string): void;
    };
  };
}

/** Excel refused a call. */
export class OfficeFailure extends Error {
  override readonly name = 'OfficeFailure';
  readonly code: number;

  constructor({ code, message }: { code: number; message: string }) {
    super(message);
    this.code = code;
  }
}

const globals = window as { Office?: OfficeApi; Excel?: ExcelApi };

/** Returns null if Microsoft's script was not loaded. */
export const findOffice = (): OfficeApi | null => globals.Office ?? null;

export function office(): OfficeApi {
  if (!globals.Office) throw new Error('Office.js is missing');
  return globals.Office;
}

export function excel(): ExcelApi {
  if (!globals.Excel) throw new Error('Excel is missing');
  return globals.Excel;
}

/** Converts a callback-based call to a promise. */
export function asked<T>(call: (done: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call(({ status, value, error }) => {
      if (status === 'succeeded') resolve(value);
      else reject(new OfficeFailure(error ?? { code: 5001, message: '5001' }));
    });
  });
}

/** Requirement sets that not every version of Excel supports. */
const SETS = {
  dialog: ['DialogApi', '1.1'],
  file: ['CompressedFile', '1.1'],
  cells: ['ExcelApi', '1.1'],
  functions: ['ExcelApi', '1.2'],
  browser: ['OpenBrowserWindowApi', '1.1'],
} as const;

export function has(set: keyof typeof SETS): boolean {
  const [name, version] = SETS[set];
  return office().context.requirements.isSetSupported(name, version);
}

/** Opens a page of the portal in the browser. */
export function openInBrowser(url: string): void {
  const { ui } = office().context;
  if (has('browser') && ui.openBrowserWindow) ui.openBrowserWindow(url);
  else window.open(url, '_blank', 'noopener');
}
