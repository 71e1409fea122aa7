/** What a monitoring system asks of a server, and how a server leaves; part of the schema of all settings. */
import { Type } from 'typebox';

export const MONITORING_SETTINGS = {
  metricsPort: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65_535,
    group: 'Monitoring',
    description:
      'Port of its own at which this process, a worker too, answers /metrics for Prometheus, /live and /ready. 0: none.',
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
    description: 'What /metrics wants as bearer token. Empty: whoever reaches the port may read it.',
  }),
  drainSeconds: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 600,
    group: 'Monitoring',
    description:
      'How long a server that is told to stop goes on answering, as not ready and without taking runs, so that load balancers turn to others first.',
  }),
};
