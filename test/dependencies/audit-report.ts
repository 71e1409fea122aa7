/** What `npm audit --json` reports, and what of it keeps us from delivering. */
export interface Advisory {
  source: number;
  title: string;
  url: string;
  severity: string;
}

export interface AuditReport {
  vulnerabilities: Record<string, { via: (string | Advisory)[] }>;
}

/** An advisory that cannot be helped for a while. */
export interface Allowed {
  /** The address of the advisory, as the report names it. */
  url: string;
  /** The last day on which it is let through, '2027-01-31'. */
  until: string;
  why: string;
}

const GRAVE = new Set(['high', 'critical']);

/** Null where the service gave no report: the network is closed, or the registry has no such service. */
export function readAuditReport(output: string): AuditReport | null {
  try {
    const report = JSON.parse(output) as Partial<AuditReport>;
    return typeof report.vulnerabilities === 'object' ? (report as AuditReport) : null;
  } catch {
    return null;
  }
}

/** Grave advisories of production packages that are not let through on that day. */
export function auditFaults(report: AuditReport, allowed: readonly Allowed[], today: string): string[] {
  const advisories = Object.entries(report.vulnerabilities).flatMap(([name, { via }]) =>
    via.filter((cause) => typeof cause === 'object').map((advisory) => ({ name, ...advisory })),
  );
  return advisories
    .filter(({ severity }) => GRAVE.has(severity))
    .filter(({ url }) => !allowed.some((known) => known.url === url && today <= known.until))
    .map(({ name, severity, title, url }) => `${name} (${severity}): ${title}, ${url}`);
}
