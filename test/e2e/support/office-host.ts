/**
 * A fake of Excel and its Office.js that replaces Microsoft's script. For the calls of the pane it behaves as
 * documented at learn.microsoft.com/javascript/api:
 * - Results arrive asynchronously.
 * - Files are read in slices, at most two at a time.
 * - Proxies return loaded values only after `sync`.
 * - Cell input is interpreted as typed: a text with '=' is a formula, one after an apostrophe stays text.
 * - Errors have their codes.
 * - A window can send messages back only if Office.js learned its host from the first page.
 * Tests read and set its state in `window.testExcel`.
 */
import type { BrowserContext } from 'playwright-core';

export interface ExcelState {
  /** Contents of the open workbook, and its location. */
  file: { bytes: number[]; url: string };
  /** Sheets by name; cells by address such as 'A1'. */
  sheets: Record<string, Record<string, ExcelCell>>;
  active: string;
  /** For example 'A1' or 'A1:B2' on the active sheet. */
  selected: string;
  /** Supported requirement sets, such as 'ExcelApi 1.1'. */
  sets: string[];
  /** Error code of Excel thrown by the next `sync`. */
  failure: string;
  /** Maximum number of cells per `sync`. */
  maxCells: number;
  is1904: boolean;
  /** Number of open files. */
  openFiles: number;
  /** Number of cells changed by each call that changed any. */
  written: number[];
}

export interface ExcelCell {
  value: string | number | boolean;
  formula?: string;
  format?: string;
}

declare global {
  interface Window {
    testExcel: ExcelState;
  }
}

export const ALL_SETS = ['DialogApi 1.1', 'CompressedFile 1.1', 'ExcelApi 1.1', 'ExcelApi 1.2'];
const SCRIPT = 'https://appsforoffice.microsoft.com/lib/1/hosted/office.js';

/**
 * Responds to the pane's script request with the fake. Each page starts with the `state` at the time of its request.
 */
export async function playExcel(context: BrowserContext, state: Partial<ExcelState>): Promise<void> {
  const begin = {
    file: { bytes: [], url: '' },
    sheets: { Sheet1: {} },
    active: 'Sheet1',
    selected: 'A1',
    sets: ALL_SETS,
    failure: '',
    maxCells: 1_000_000,
    is1904: false,
    openFiles: 0,
    written: [],
  };
  await context.route(SCRIPT, async (route) => {
    const parts = [columnOf, addressOf, blockOf, typed, createRange, createExcel, createOffice].map(String).join('\n');
    const body = `(() => {\n${parts}\nwindow.testExcel = ${JSON.stringify({ ...begin, ...state })};
      window.Office = createOffice(); window.Excel = createExcel();\n})();`;
    await route.fulfill({ contentType: 'text/javascript', body });
  });
}

// The following functions run in the page. Each is sent as text and can use only the others sent with it.

function columnOf(letters: string): number {
  return letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function addressOf(row: number, col: number): string {
  let letters = '';
  for (let rest = col + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters + String(row + 1);
}

function blockOf(address: string): { top: number; left: number; rows: number; columns: number } {
  const whole = /^([A-Z]+):([A-Z]+)$/.exec(address);
  if (whole) {
    const left = columnOf(whole[1]!);
    return { top: 0, left, rows: 1_048_576, columns: columnOf(whole[2]!) - left + 1 };
  }
  const [first, last = first] = address.split(':').map((cell) => /^([A-Z]+)(\d+)$/.exec(cell)!);
  const [top, left] = [Number(first![2]) - 1, columnOf(first![1]!)];
  return { top, left, rows: Number(last![2]) - top, columns: columnOf(last![1]!) - left + 1 };
}

/** Returns the contents of a cell after input, as if it was typed. */
function typed(given: unknown, format: string): ExcelCell | null {
  if (given === '') return null;
  if (typeof given !== 'string') return { value: format === '@' ? String(given) : (given as number | boolean), format };
  if (given.startsWith("'")) return { value: given.slice(1), format };
  if (format === '@') return { value: given, format };
  if (/^[=+-]/.test(given) && !Number.isFinite(Number(given))) return { value: '#calculated', formula: given, format };
  if (given.trim() !== '' && Number.isFinite(Number(given))) return { value: Number(given), format };
  return { value: /^(true|false)$/i.test(given) ? /^true$/i.test(given) : given, format };
}

interface Queue {
  work: (() => void)[];
  cells: number;
}

function createRange(queue: Queue, sheetName: () => string, address: () => string): object {
  const excel = window.testExcel;
  const loaded: Record<string, unknown> = {};
  const cellsOf = (): (ExcelCell | undefined)[][] => {
    const { top, left, rows, columns } = blockOf(address());
    const cells = excel.sheets[sheetName()]!;
    return Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, col) => cells[addressOf(top + row, left + col)]),
    );
  };
  const errors = /^#(N\/A|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|NULL!)$/;
  const typeOf = (cell: ExcelCell | undefined): string => {
    if (!cell) return 'Empty';
    if (errors.test(String(cell.value))) return 'Error';
    return { number: 'Double', boolean: 'Boolean', string: 'String' }[typeof cell.value as 'number'] ?? 'String';
  };
  const readers: Record<string, () => unknown> = {
    address: () => `${sheetName()}!${address()}`,
    rowCount: () => blockOf(address()).rows,
    columnCount: () => blockOf(address()).columns,
    values: () => cellsOf().map((row) => row.map((cell) => cell?.value ?? '')),
    text: () => cellsOf().map((row) => row.map((cell) => String(cell?.value ?? ''))),
    valueTypes: () => cellsOf().map((row) => row.map(typeOf)),
    numberFormat: () => cellsOf().map((row) => row.map((cell) => cell?.format ?? 'General')),
  };
  const change = (given: unknown[][], set: (cell: ExcelCell | undefined, one: unknown) => ExcelCell | null): void => {
    const { top, left, rows, columns } = blockOf(address());
    if (given.length !== rows || given.some((row) => row.length !== columns))
      throw new Error("The number of rows or columns in the input array doesn't match the size of the range.");
    queue.cells += rows * columns;
    queue.work.push(() => {
      const cells = excel.sheets[sheetName()]!;
      for (let row = 0; row < rows; row += 1) {
        for (let col = 0; col < columns; col += 1) {
          const at = addressOf(top + row, left + col);
          // Null leaves a cell unchanged.
          if (given[row]![col] === null) continue;
          const cell = set(cells[at], given[row]![col]);
          if (cell === null) delete cells[at];
          else cells[at] = cell;
        }
      }
    });
  };
  const range = {
    format: { font: { bold: false }, autofitColumns: () => undefined },
    load: (names: string) => {
      for (const name of names.split(',').map((one) => one.trim()))
        queue.work.push(() => void (loaded[name] = readers[name]!()));
    },
    select: () =>
      queue.work.push(() => {
        excel.active = sheetName();
        excel.selected = address();
      }),
    getCell: (row: number, col: number) =>
      createRange(queue, sheetName, () => {
        const { top, left } = blockOf(address());
        return addressOf(top + row, left + col);
      }),
    getBoundingRect: (other: { own(): string }) =>
      createRange(queue, sheetName, () => (address() === other.own() ? address() : `${address()}:${other.own()}`)),
    getUsedRange: () =>
      createRange(queue, sheetName, () => {
        const { top, left, rows, columns } = blockOf(address());
        const used = Object.keys(excel.sheets[sheetName()]!)
          .map((cell) => blockOf(cell))
          .filter((at) => at.top >= top && at.top < top + rows && at.left >= left && at.left < left + columns);
        if (used.length === 0) throw Object.assign(new Error('not found'), { code: 'ItemNotFound' });
        const [tops, lefts] = [used.map((at) => at.top), used.map((at) => at.left)];
        const first = addressOf(Math.min(...tops), Math.min(...lefts));
        return `${first}:${addressOf(Math.max(...tops), Math.max(...lefts))}`;
      }),
    own: address,
  };
  for (const name of Object.keys(readers)) {
    Object.defineProperty(range, name, {
      get: () => {
        if (!(name in loaded))
          throw Object.assign(new Error(`The property '${name}' is not available.`), { code: 'PropertyNotLoaded' });
        return loaded[name];
      },
      set: (given: unknown[][]) => {
        if (name === 'values') change(given, (cell, one) => typed(one, cell?.format ?? 'General'));
        else change(given, (cell, one) => ({ value: cell?.value ?? '', format: String(one) }));
      },
    });
  }
  return range;
}

function createExcel(): object {
  const excel = window.testExcel;
  const fail = (code: string): Error => Object.assign(new Error(code), { code, name: 'RichApi.Error' });
  const sheetProxy = (queue: Queue, name: string): object => ({
    name,
    activate: () => queue.work.push(() => void (excel.active = name)),
    delete: () => queue.work.push(() => void delete excel.sheets[name]),
    getRange: (address: string) =>
      createRange(
        queue,
        () => name,
        () => address,
      ),
  });
  return {
    run: async (work: (context: object) => Promise<unknown>) => {
      const queue: Queue = { work: [], cells: 0 };
      const items: object[] = [];
      const worksheets = {
        items,
        load: () =>
          queue.work.push(() => items.push(...Object.keys(excel.sheets).map((name) => sheetProxy(queue, name)))),
        add: (name: string) => {
          queue.work.push(() => {
            if (name in excel.sheets) throw fail('ItemAlreadyExists');
            if (name.length > 31 || /[[\]:*?/\\]/.test(name)) throw fail('InvalidArgument');
            excel.sheets[name] = {};
          });
          return sheetProxy(queue, name);
        },
        getItem: (name: string) => {
          queue.work.push(() => {
            if (!(name in excel.sheets)) throw fail('ItemNotFound');
          });
          return sheetProxy(queue, name);
        },
      };
      const year: { value?: number; load(): void } = {
        load: () => queue.work.push(() => void (year.value = excel.is1904 ? 1904 : 1900)),
      };
      const context = {
        workbook: {
          worksheets,
          functions: { year: () => year },
          getSelectedRange: () =>
            createRange(
              queue,
              () => excel.active,
              () => excel.selected,
            ),
        },
        sync: async () => {
          const { work, cells } = queue;
          queue.work = [];
          queue.cells = 0;
          await new Promise((resolve) => setTimeout(resolve, 0));
          const { failure } = excel;
          excel.failure = '';
          if (failure !== '') throw fail(failure);
          if (cells > excel.maxCells) throw fail('RequestPayloadSizeLimitExceeded');
          if (cells > 0) excel.written.push(cells);
          for (const step of work) step();
        },
      };
      return work(context);
    },
  };
}

function createOffice(): object {
  const excel = window.testExcel;
  const later = (done: (result: object) => void, value: unknown, error?: { code: number; message: string }): void =>
    void setTimeout(() => done({ status: error ? 'failed' : 'succeeded', value, error }), 0);
  // Only the address of the first page contains the host; the script stores it for later pages in the same window.
  const hostInfo = new URLSearchParams(window.location.search).get('_host_Info');
  if (hostInfo) sessionStorage.setItem('hostInfoValue', hostInfo);
  const hasHost = sessionStorage.getItem('hostInfoValue') !== null;
  let dialog: Window | null = null;
  return {
    onReady: async () => ({ host: hasHost ? 'Excel' : null, platform: hasHost ? 'PC' : null }),
    context: {
      displayLanguage: navigator.language,
      requirements: { isSetSupported: (name: string, version: string) => excel.sets.includes(`${name} ${version}`) },
      document: {
        url: excel.file.url,
        getFileAsync: (_type: string, { sliceSize }: { sliceSize: number }, done: (result: object) => void) => {
          const { bytes } = window.testExcel.file;
          if (sliceSize > 4_194_304 || excel.openFiles >= 2)
            return later(done, undefined, { code: 5001, message: 'An internal error has occurred.' });
          excel.openFiles += 1;
          later(done, {
            size: bytes.length,
            sliceCount: Math.ceil(bytes.length / sliceSize),
            getSliceAsync: (index: number, gotten: (result: object) => void) => {
              const data = bytes.slice(index * sliceSize, (index + 1) * sliceSize);
              later(gotten, { data, index, size: data.length });
            },
            closeAsync: (closed: (result: object) => void) => {
              excel.openFiles -= 1;
              later(closed, undefined);
            },
          });
        },
      },
      ui: {
        displayDialogAsync: (url: string, _options: object, done: (result: object) => void) => {
          if (dialog && !dialog.closed)
            return later(done, undefined, { code: 12_007, message: 'A dialog box is already opened' });
          if (new URL(url).origin !== window.location.origin)
            return later(done, undefined, { code: 12_004, message: 'The domain is not trusted' });
          const opened = window.open(
            `${url}&_host_Info=Excel$Win32$16.01$en-US$$$$0`,
            'dialog',
            'width=600,height=700',
          )!;
          dialog = opened;
          let isClosed = false;
          const watch = (onEvent: (event: object) => void): void => {
            const timer = setInterval(() => {
              if (!opened.closed) return;
              clearInterval(timer);
              if (!isClosed) onEvent({ error: 12_006 });
            }, 50);
          };
          later(done, {
            close: () => {
              isClosed = true;
              opened.close();
            },
            addEventHandler: (type: string, handler: (event: object) => void) => {
              if (type === 'dialogEventReceived') return watch(handler);
              window.addEventListener('message', ({ source, origin, data }) => {
                if (source === opened && origin === window.location.origin)
                  handler({ message: data as string, origin });
              });
            },
          });
        },
        messageParent: (message: string) => {
          if (!hasHost) throw new Error('This page is in no window of Office');
          (window.opener as Window).postMessage(message, window.location.origin);
        },
      },
    },
  };
}
