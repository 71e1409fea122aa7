/**
 * Reads the outer part of a SAML message, which may be unsigned. Source: SAML 2.0 core, section 3.2; bindings, section
 * 3.5.5.2.
 */
import { inflateRawSync } from 'node:zlib';
import { SaxesParser } from 'saxes';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const MAX_MESSAGE_BYTES = 1024 * 1024;

interface Outside {
  name: string;
  destination: string | undefined;
  /** Values of the top-level status codes. */
  statuses: string[];
}

/** Throws an Error if the response reports anything but success, or was meant for another address. */
export function checkResponse(xml: string, address: string): void {
  const { name, destination, statuses } = readOutside(xml);
  if (name !== 'Response') throw new Error('the answer is no response');
  checkDestination(destination, address);
  if (statuses.length === 1 && statuses[0] === SUCCESS) return;
  throw new Error(`the provider signed nobody in: ${statuses.join(', ') || 'no status'}`);
}

/** Checks the destination of a log-out request, as encoded in an address. */
export function checkLogoutDestination(encoded: string, address: string): void {
  const bytes = inflateRawSync(Buffer.from(encoded, 'base64'), { maxOutputLength: MAX_MESSAGE_BYTES });
  checkDestination(readOutside(bytes.toString('utf8')).destination, address);
}

/** Only messages that are signed as a whole must name a destination. */
function checkDestination(destination: string | undefined, address: string): void {
  if (destination === undefined || destination === address) return;
  throw new Error(`the message is for another address: ${destination}`);
}

function readOutside(xml: string): Outside {
  const outside: Outside = { name: '', destination: undefined, statuses: [] };
  const path: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    path.push(uri === PROTOCOL ? local : '');
    if (path.length === 1) {
      outside.name = path[0]!;
      outside.destination = attributes['Destination']?.value;
    }
    if (path.length === 3 && path[1] === 'Status' && path[2] === 'StatusCode')
      outside.statuses.push(attributes['Value']?.value ?? '');
  });
  parser.on('closetag', () => void path.pop());
  parser.write(xml).close();
  return outside;
}
