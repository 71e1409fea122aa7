/** Settings for forwarding the log of security actions; part of the schema of all settings. */
import { Type } from 'typebox';

export const SECURITY_LOG_SETTINGS = {
  securityLogUrl: Type.String({
    default: '',
    maxLength: 200,
    values: 'tls://host:6514, tcp://host:601, udp://host:514, or nothing',
    group: 'Security log',
    description:
      'Server that receives every security action by syslog (RFC 5424). Without a port, the standard port of the protocol is used. Empty: nothing is forwarded.',
  }),
  securityLogCaFile: Type.String({
    default: '',
    values: 'the path of a .pem file, or nothing',
    group: 'Security log',
    description:
      "Certificate of the authority that signed that server's certificate, for tls. Empty: the authorities of Node.js.",
  }),
};

export type SyslogKind = 'udp' | 'tcp' | 'tls';

export interface SyslogAddress {
  kind: SyslogKind;
  host: string;
  port: number;
}

/** Sources: RFC 5426, RFC 6587 (the port is that of syslog-conn), RFC 5425. */
const PORTS: Record<SyslogKind, number> = { udp: 514, tcp: 601, tls: 6514 };

/** Returns null for anything except an address of these three kinds. */
export function readSyslogAddress(text: string): SyslogAddress | null {
  if (!/^(udp|tcp|tls):\/\/[^/?#@]+\/?$/.test(text) || !URL.canParse(text)) return null;
  const { protocol, hostname, port } = new URL(text);
  const kind = protocol.slice(0, -1) as SyslogKind;
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === '' ? null : { kind, host, port: port === '' ? PORTS[kind] : Number(port) };
}
