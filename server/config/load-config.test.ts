import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runsheet-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Returns the line that a start with these variables prints. */
function refusal(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    expect((error as Error).name).toBe('StartError');
    return (error as Error).message;
  }
  throw new Error('the settings were accepted');
}

describe('loadConfig', () => {
  it('needs nothing', () => {
    const config = loadConfig({ PATH: '/bin' });
    expect(config).toMatchObject({ port: 8080, host: '127.0.0.1', basePath: '/', databaseUrl: '', role: 'both' });
    expect(config.dataDir).toBe(resolve('data'));
    expect(config.samples).toBe(true);
  });

  it('reads variables of each type', () => {
    const config = loadConfig({
      RUNSHEET_PORT: '9000',
      RUNSHEET_SAMPLES: 'false',
      RUNSHEET_ROLE: 'worker',
      RUNSHEET_WORKER_MEMORY_BUDGET: '12.5',
      RUNSHEET_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      RUNSHEET_BASE_PATH: '/runsheet',
      RUNSHEET_TIME_ZONE: 'Europe/Berlin',
      RUNSHEET_LOG_LEVEL: '',
    });
    expect(config).toMatchObject({
      port: 9000,
      samples: false,
      role: 'worker',
      workerMemoryBudget: 12.5,
      trustedProxies: ['10.0.0.0/8', '::1'],
      basePath: '/runsheet/',
      timeZone: 'Europe/Berlin',
      logLevel: 'info',
    });
  });

  it('reads a file; the environment takes precedence', () => {
    const RUNSHEET_CONFIG = file('config.json', { port: 9000, host: '::', samples: false });
    expect(loadConfig({ RUNSHEET_CONFIG, RUNSHEET_PORT: '9001' })).toMatchObject({
      port: 9001,
      host: '::',
      samples: false,
    });
  });

  it('reads secrets from files', () => {
    const RUNSHEET_ADMIN_PASSWORD_FILE = file('password', 'open sesame \n');
    expect(loadConfig({ RUNSHEET_ADMIN_PASSWORD_FILE }).adminPassword).toBe('open sesame ');
    expect(refusal({ RUNSHEET_ADMIN_PASSWORD_FILE, RUNSHEET_ADMIN_PASSWORD: 'x' })).toContain('are both set');
    expect(refusal({ RUNSHEET_ADMIN_PASSWORD_FILE: join(folder, 'none') })).toContain('cannot be read');
  });

  it.each([
    ['RUNSHEET_PORT', 'abc', 'RUNSHEET_PORT must be a whole number from 0 to 65535, not "abc"'],
    ['RUNSHEET_PORT', '65536', 'RUNSHEET_PORT must be a whole number from 0 to 65535, not 65536'],
    ['RUNSHEET_PORT', '80.5', 'RUNSHEET_PORT must be a whole number from 0 to 65535, not 80.5'],
    ['RUNSHEET_SAMPLES', 'yes', 'RUNSHEET_SAMPLES must be true or false, not "yes"'],
    ['RUNSHEET_ROLE', 'server', 'RUNSHEET_ROLE must be one of both, api, worker, not "server"'],
    ['RUNSHEET_BASE_PATH', 'app', 'RUNSHEET_BASE_PATH must be a path such as /runsheet, not "app"'],
    ['RUNSHEET_TIME_ZONE', 'Mars/North', 'RUNSHEET_TIME_ZONE must be a name such as Europe/Berlin, not "Mars/North"'],
    ['RUNSHEET_PUBLIC_URL', 'ftp://x', 'RUNSHEET_PUBLIC_URL must be a URL beginning with http:// or https://'],
    ['RUNSHEET_TRACES_URL', 'collector:4318', 'RUNSHEET_TRACES_URL must be a URL beginning with http:// or https://'],
    ['RUNSHEET_TRACES_URL', 'http://u:p@c/v1/traces', 'RUNSHEET_TRACES_URL must be a URL'],
    ['RUNSHEET_TRACES_HEADERS', 'Bearer abc', 'RUNSHEET_TRACES_HEADERS must be names with their values'],
    ['RUNSHEET_TRACES_SHARE', '1.5', 'RUNSHEET_TRACES_SHARE must be a number from 0 to 1'],
    ['RUNSHEET_TRUSTED_PROXIES', '10.0.0.0/64', 'RUNSHEET_TRUSTED_PROXIES must be IP addresses or ranges'],
    ['RUNSHEET_PROT', '1', 'RUNSHEET_PROT is not a setting; did you mean RUNSHEET_PORT?'],
    ['RUNSHEET_DATABASE', 'x', 'RUNSHEET_DATABASE is not a setting'],
    ['RUNSHEET_PORT_FILE', 'x', 'RUNSHEET_PORT_FILE is not a setting'],
    ['RUNSHEET_COMPLETELY_ELSE', 'x', 'RUNSHEET_COMPLETELY_ELSE is not a setting, see docs/configuration.md'],
  ])('refuses %s=%s', (name, value, line) => {
    expect(refusal({ [name]: value })).toContain(line);
  });

  it('names all problems in one line', () => {
    const line = refusal({ RUNSHEET_PORT: 'x', RUNSHEET_ROLE: 'y' });
    expect(line).toMatch(/RUNSHEET_PORT.*; RUNSHEET_ROLE/);
    expect(line).not.toContain('\n');
  });

  it('refuses files that are not configuration files', () => {
    expect(refusal({ RUNSHEET_CONFIG: join(folder, 'none.json') })).toContain('cannot be read');
    expect(refusal({ RUNSHEET_CONFIG: file('broken.json', '{') })).toContain('cannot be read');
    expect(refusal({ RUNSHEET_CONFIG: file('list.json', []) })).toContain('must contain one JSON object');
    const unknown = refusal({ RUNSHEET_CONFIG: file('unknown.json', { prot: 1 }) });
    expect(unknown).toContain('has the unknown field "prot"; did you mean port?');
    expect(refusal({ RUNSHEET_CONFIG: file('type.json', { port: '80' }) })).toContain('RUNSHEET_PORT must be');
  });

  it('leaves the variables of the tests alone', () => {
    expect(loadConfig({ RUNSHEET_TEST_PG_URL: 'postgres://x' }).port).toBe(8080);
  });

  it('shows no secrets in refusals', () => {
    expect(refusal({ RUNSHEET_DATABASE_URL: 'mysql://root:hidden@db' })).toMatch(
      /^RUNSHEET_DATABASE_URL must be postgres:(?!.*hidden)/,
    );
  });
});

it('allows assistants by sign-in only at a known address', () => {
  expect(refusal({ RUNSHEET_ASSISTANTS: 'signIn' })).toContain('needs RUNSHEET_PUBLIC_URL');
  const address = { RUNSHEET_PUBLIC_URL: 'https://portal.example.org' };
  expect(loadConfig({ ...address, RUNSHEET_ASSISTANTS: 'signIn' }).assistants).toBe('signIn');
  expect(loadConfig(address).assistants).toBe('off');
});

describe('settings of mail', () => {
  const mail = { RUNSHEET_SMTP_HOST: 'mail.example.com', RUNSHEET_MAIL_FROM: 'Runsheet <runsheet@example.com>' };

  it('are encrypted unless they say otherwise', () => {
    expect(loadConfig(mail)).toMatchObject({ smtpHost: 'mail.example.com', smtpPort: 587, smtpSecurity: 'starttls' });
  });

  it('are refused where they do not go together', () => {
    expect(refusal({ RUNSHEET_SMTP_HOST: 'mail.example.com' })).toContain('needs RUNSHEET_MAIL_FROM');
    expect(refusal({ ...mail, RUNSHEET_SMTP_USER: 'runsheet' })).toContain('belong together');
    const plain = { ...mail, RUNSHEET_SMTP_USER: 'a', RUNSHEET_SMTP_PASSWORD: 'b', RUNSHEET_SMTP_SECURITY: 'none' };
    expect(refusal(plain)).toContain('would send the password unencrypted');
    expect(refusal({ ...mail, RUNSHEET_MAIL_FROM: 'a@b.c, d@e.f' })).toContain('RUNSHEET_MAIL_FROM must be');
  });

  it('take the password from a file', () => {
    const path = file('smtp-password', 'hush\n');
    const config = loadConfig({ ...mail, RUNSHEET_SMTP_USER: 'a', RUNSHEET_SMTP_PASSWORD_FILE: path });
    expect(config.smtpPassword).toBe('hush');
  });
});
