import { SETTINGS, valuesOf } from './config-schema.ts';
import type { Setting } from './config-schema.ts';

const HEAD = `# Configuration

Runsheet needs no settings to start. Set each one as an environment variable, or as a field of a JSON file whose path is in
\`RUNSHEET_CONFIG\`. The environment takes precedence. Changes take effect at the next start.

- An empty variable counts as not set.
- Secrets can be in files: \`RUNSHEET_ADMIN_PASSWORD_FILE=/run/secrets/admin\` reads the password from that file.
- A wrong value or an unknown name stops the start with one line that describes the problem (exit code 2).

\`\`\`json
{ "port": 9000, "dataDir": "/var/lib/runsheet", "trustedProxies": ["10.0.0.0/8"] }
\`\`\`
`;

/** Returns docs/configuration.md, which `node scripts/config-docs.ts` generates from the schema. */
export function configPage(): string {
  const groups = [...new Set(SETTINGS.map(({ schema }) => schema.group))];
  const sections = groups.map((group) => {
    const rows = SETTINGS.filter(({ schema }) => schema.group === group).map(row);
    return `## ${group}\n\n| Variable | Field | Default | |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return [HEAD, ...sections].join('\n');
}

function row({ variable, field, schema }: Setting): string {
  const standard = schema.json ? '' : String(schema.default as string | number | boolean | string[]);
  const values = valuesOf(schema);
  const secret = schema.secret ? ' Secret.' : '';
  const cells = [
    `\`${variable}\``,
    `\`${field}\``,
    standard === '' ? 'empty' : `\`${standard}\``,
    `${schema.description} Value: ${values}.${secret}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
