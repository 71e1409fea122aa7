/** Formats security actions as syslog messages. Source: RFC 5424; framing RFC 6587, section 3.4.1, and RFC 5425. */
import type { SecurityActionRow } from '#server/access/audit/action-hash.ts';

/** Facility 13, log audit; severity 5, notice. */
const PRIORITY = 13 * 8 + 5;

export interface SyslogSource {
  hostName: string;
  processId: number;
}

/**
 * Contains the same JSON as a line of the export, so that a receiver can verify the chain. Only ASCII is used, which
 * needs no byte order mark.
 */
export function syslogMessage(row: SecurityActionRow, { hostName, processId }: SyslogSource): string {
  const host = printable(hostName, 255);
  return `<${PRIORITY}>1 ${row.Time.toISOString()} ${host} runsheet ${processId} ${row.Action} - ${asciiJson(row)}`;
}

/** Frames a message for a connection. Its octets are counted, so that nothing in it can be taken for its end. */
export const framed = (message: string): string => `${Buffer.byteLength(message)} ${message}`;

function asciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function printable(text: string, maxLength: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, maxLength) || '-';
}
