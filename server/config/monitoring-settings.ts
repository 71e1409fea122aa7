/**
 * Settings for what monitoring systems query or receive, and for how a server stops; part of the schema of all
 * settings.
 */
import { Type } from 'typebox';

export const MONITORING_SETTINGS = {
  metricsPort: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65_535,
    group: 'Monitoring',
    description:
      'Separate port on which this process, also a worker, answers /metrics for Prometheus, /live and /ready. 0: none.',
  }),
  metricsHost: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    values: 'an address or name of this machine',
    group: 'Monitoring',
    description: 'Address of that port.',
  }),
  metricsToken: Type.String({
    default: '',
    secret: true,
    values: 'at least 16 characters, or nothing',
    group: 'Monitoring',
    description: 'Bearer token that /metrics requires. Empty: anyone who can reach the port may read it.',
  }),
  tracesUrl: Type.String({
    default: '',
    values: 'a URL beginning with http:// or https://, without a user name, or nothing',
    group: 'Monitoring',
    description:
      'Receiver of OpenTelemetry traces by OTLP over HTTP, with its path, such as http://collector:4318/v1/traces. Empty: no traces.',
  }),
  tracesHeaders: Type.String({
    default: '',
    secret: true,
    values: 'names with their values such as Authorization=Bearer abc, separated by commas, or nothing',
    group: 'Monitoring',
    description: 'Headers that the receiver of traces requires.',
  }),
  tracesShare: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    group: 'Monitoring',
    description:
      'Share of the traces that is sent: 0.1 sends one in ten. If a call has a traceparent, its sender has already decided.',
  }),
  drainSeconds: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 600,
    group: 'Monitoring',
    description:
      'How long a server that is told to stop continues to answer. It reports that it is not ready and takes no runs, so that load balancers first switch to other servers.',
  }),
};

/** Returns the headers by lower-case name; null if the text is not a list of headers. */
export function readTraceHeaders(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e][\x20-\x7e]*?)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined) return null;
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
