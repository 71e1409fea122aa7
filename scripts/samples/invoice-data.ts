/** Invoices and payments of the reconciliation sample: those in the workbook, and those in the files to upload. */
import { day } from './layout.ts';

const CUSTOMERS = [
  'Ålesund Shipping AS',
  'Brandt & Söhne GmbH',
  'Café du Marché',
  'Delta Instruments Ltd',
  'Ibérica de Óptica SA',
];

/** The published workbook contains a few rows for people who open it. */
export const INVOICE_ROWS: (string | number | Date)[][] = [
  ['R-1001', CUSTOMERS[0]!, day(2026, 9, 3), day(2026, 10, 3), 1200.5],
  ['R-1002', CUSTOMERS[1]!, day(2026, 9, 10), day(2026, 10, 10), 860],
  ['R-1003', CUSTOMERS[3]!, day(2026, 10, 20), day(2026, 11, 19), 415.25],
];

export const BANK_ROWS: (string | number | Date)[][] = [
  [day(2026, 10, 1), 'R-1001', 1200.5, 'Invoice R-1001'],
  [day(2026, 10, 12), 'R-1002', 500, 'Part of R-1002'],
];

export interface Invoice {
  number: string;
  customer: string;
  /** Days after 2026-10-01. */
  day: number;
  dueInDays: number;
  cents: number;
}

export interface Payment {
  day: number;
  invoice: string;
  cents: number;
  text: string;
}

/** Sixty invoices. The amounts follow a fixed rule, so that the files are the same on every machine. */
export const invoices: Invoice[] = Array.from({ length: 60 }, (_, index) => ({
  number: `R-${2001 + index}`,
  customer: CUSTOMERS[(index * 7) % CUSTOMERS.length]!,
  day: (index * 5) % 31,
  dueInDays: index % 3 === 0 ? 10 : 30,
  cents: 10_000 + ((index * 7919) % 250_000),
}));

/** Most invoices are paid in full. Some are paid late, in two parts, too much, one cent short, or not at all. */
export const payments: Payment[] = [
  ...invoices.flatMap((invoice, index): Payment[] => {
    const { number, day, cents } = invoice;
    const text = `Invoice ${number}`;
    if (index % 11 === 3) return [];
    if (index % 11 === 5) return [{ day: day + 5, invoice: number, cents: cents - 20_00, text }];
    if (index % 11 === 7) return [{ day: day + 5, invoice: number, cents: cents + 15_00, text }];
    if (index % 11 === 9) return [{ day: day + 5, invoice: number, cents: cents - 1, text }];
    if (index % 13 !== 1) return [{ day: day + 3, invoice: number, cents, text }];
    const half = Math.floor(cents / 2);
    return [
      { day: day + 3, invoice: number, cents: half, text: `${text}; 1 of 2` },
      { day: day + 9, invoice: number, cents: cents - half, text: `${text}; 2 of 2` },
    ];
  }),
  { day: 14, invoice: 'R-1987', cents: 99_00, text: 'Müller, old invoice' },
  { day: 20, invoice: '', cents: 12_50, text: 'No reference given' },
];

const iso = (offset: number): string =>
  day(2026, 10, 1 + offset)
    .toISOString()
    .slice(0, 10);

/** UTF-8 with a byte order mark, commas, dates as yyyy-mm-dd. */
export function invoiceCsv(): Buffer {
  const lines = invoices.map(({ number, customer, day, dueInDays, cents }) =>
    [number, `"${customer}"`, iso(day), iso(day + dueInDays), (cents / 100).toFixed(2)].join(','),
  );
  return Buffer.from(`\ufeff${['Number,Customer,Date,Due,Amount', ...lines].join('\r\n')}\r\n`);
}

/** The format of a German bank: Windows-1252, semicolons, decimal commas, dates as dd/mm/yyyy. */
export function bankCsv(): Buffer {
  const lines = payments.map(({ day, invoice, cents, text }) => {
    const [year, month, date] = iso(day).split('-');
    const amount = (cents / 100)
      .toFixed(2)
      .replace('.', ',')
      .replace(/^(\d+)(\d{3}),/, '$1.$2,');
    return [`${date}/${month}/${year}`, invoice, amount, `"${text}"`, 'EUR'].join(';');
  });
  return Buffer.from(`${['Date;Invoice;Amount;Text;Currency', ...lines].join('\r\n')}\r\n`, 'latin1');
}
