/** Definitions and bodies for tests of the portal's routes. */
import { randomBytes } from 'node:crypto';
import type { InputDefinition, OutputDefinition } from '#server/executors/activity-definition.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { inputInfo } from '#shared/testing/input-info.ts';

const OUTPUT_INFO: OutputInfo = {
  RangeType: 'SingleCell',
  CellUsages: ['Number'],
  CalculateImmediately: false,
  SqlNames: [],
  HeaderRows: 0,
  HeaderCols: 0,
  RowsVariable: false,
  ColumnHeaderValues: [],
  RowHeaderValues: [],
  Formats: ['General'],
};

const location = { sheet: 0, block: { top: 0, left: 0, bottom: 0, right: 0 } };

export function input(
  Name: string,
  info: Partial<InputInfo> = {},
  pickerItems: (string[] | null)[] = [null],
  HasAccessRight = '',
): InputDefinition {
  return { Name, Description: '', Info: inputInfo(info), HasAccessRight, location, pickerItems };
}

export function output(Name: string, info: Partial<OutputInfo> = {}): OutputDefinition {
  return { Name, Description: '', Info: { ...OUTPUT_INFO, ...info }, location };
}

/** Builds a multipart body as browsers send it: the fields, then the files. */
export function multipart(
  fields: Record<string, string>,
  files: { name: string; content: string | Uint8Array; field?: string }[],
): { headers: { 'content-type': string }; payload: Buffer } {
  const boundary = `----test${randomBytes(8).toString('hex')}`;
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  for (const { name, content, field = 'file' } of files) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n`;
    parts.push(
      Buffer.from(`${head}content-type: application/octet-stream\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    );
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, payload: Buffer.concat(parts) };
}
