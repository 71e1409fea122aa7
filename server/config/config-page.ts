import { SETTINGS, valuesOf } from './config-schema.ts';
import type { Setting } from './config-schema.ts';

const HEAD = `# Configuration

Runsheet needs no settings to start. Each can be given as an environment variable, or as a field of a JSON file whose path is
in \`RUNSHEET_CONFIG\`; the environment wins. Changes take effect at the next start.

- A variable that is set to nothing counts as not set.
- Secrets may lie in files: \`RUNSHEET_ADMIN_PASSWORD_FILE=/run/secrets/admin\` reads the password from there.
- A wrong value or an unknown name stops the start with one line that says what is wrong (exit code 2).

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
