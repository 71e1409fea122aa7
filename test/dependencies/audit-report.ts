/** Parses the report of `npm audit --json` and finds what blocks a release. */
export interface Advisory {
  source: number;
  title: string;
  url: string;
  severity: string;
}

export interface AuditReport {
  vulnerabilities: Record<string, { via: (string | Advisory)[] }>;
}

/** An advisory that cannot be fixed for some time. */
export interface Allowed {
  /** The address of the advisory as in the report. */
  url: string;
  /** The last day of the exception, '2027-01-31'. */
  until: string;
  why: string;
}

const GRAVE = new Set(['high', 'critical']);

/** Returns null if the service gave no report: there is no network, or the registry has no such service. */
export function readAuditReport(output: string): AuditReport | null {
  try {
    const report = JSON.parse(output) as Partial<AuditReport>;
    return typeof report.vulnerabilities === 'object' ? (report as AuditReport) : null;
  } catch {
    return null;
  }
}

/** Returns severe advisories of production packages without an exception on that day. */
export function auditProblems(report: AuditReport, allowed: readonly Allowed[], today: string): string[] {
  const advisories = Object.entries(report.vulnerabilities).flatMap(([name, { via }]) =>
    via.filter((cause) => typeof cause === 'object').map((advisory) => ({ name, ...advisory })),
  );
  return advisories
    .filter(({ severity }) => GRAVE.has(severity))
    .filter(({ url }) => !allowed.some((known) => known.url === url && today <= known.until))
    .map(({ name, severity, title, url }) => `${name} (${severity}): ${title}, ${url}`);
}
