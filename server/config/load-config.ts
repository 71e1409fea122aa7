import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Value } from 'typebox/value';
import { StartError } from '#server/base/start-error.ts';
import { checkCombinedSettings, checkValue } from './check-value.ts';
import { closest } from './closest.ts';
import { ConfigSchema, SETTINGS, valuesOf } from './config-schema.ts';
import type { Config, Setting } from './config-schema.ts';
import { connectionProblems } from './connection-settings.ts';

type Environment = Record<string, string | undefined>;

const PREFIX = 'RUNSHEET_';
const FILE_VARIABLE = 'RUNSHEET_CONFIG';
/** Prefix of variables that tell tests where their databases and browsers are; these are not settings. */
const TEST_PREFIX = 'RUNSHEET_TEST_';

/**
 * Loads the settings from the environment and, if RUNSHEET_CONFIG names one, a JSON file; the environment takes
 * precedence. An empty variable counts as not set. Throws one StartError that lists all problems.
 */
export function loadConfig(environment: Environment = process.env): Config {
  const problems: string[] = [];
  const configured: Record<string, unknown> = { ...readConfigFile(environment[FILE_VARIABLE], problems) };
  problems.push(...unknownVariables(environment));
  for (const setting of SETTINGS) {
    const text = readVariable(environment, setting, problems);
    if (text !== undefined) configured[setting.field] = parseText(text, setting);
  }
  for (const setting of SETTINGS) {
    const { field, schema } = setting;
    configured[field] ??= schema.default;
    problems.push(...problemsOf(setting, configured[field]));
  }
  if (problems.length > 0) throw new StartError(problems.join('; '));
  const parsed = Value.Parse(ConfigSchema, configured);
  const config = normalise(parsed);
  const clashes = checkCombinedSettings(config);
  if (clashes.length > 0) throw new StartError(clashes.join('; '));
  return Object.freeze(config);
}

function normalise(config: Config): Config {
  const { dataDir, basePath, publicUrl } = config;
  return {
    ...config,
    dataDir: resolve(dataDir),
    basePath: `${basePath.replace(/\/+$/, '')}/`,
    publicUrl: publicUrl.replace(/\/+$/, ''),
  };
}

function readConfigFile(path: string | undefined, problems: string[]): Record<string, unknown> {
  if (!path) return {};
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new StartError(`${FILE_VARIABLE} names the file ${path}, which cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new StartError(`${path} must contain one JSON object`);
  }
  const fields: string[] = SETTINGS.map(({ field }) => field);
  for (const name of Object.keys(content)) {
    if (!fields.includes(name)) problems.push(`${path} has the unknown field "${name}"${suggestion(name, fields)}`);
  }
  return Object.fromEntries(Object.entries(content).filter(([name]) => fields.includes(name)));
}

function unknownVariables(environment: Environment): string[] {
  const known = [FILE_VARIABLE, ...SETTINGS.flatMap(variablesOf)];
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(TEST_PREFIX) && !known.includes(name))
    .map((name) => `${name} is not a setting${suggestion(name, known)}`);
}

function variablesOf({ variable, schema }: Setting): string[] {
  return schema.secret ? [variable, `${variable}_FILE`] : [variable];
}

function suggestion(given: string, known: readonly string[]): string {
  const meant = closest(given, known);
  return meant ? `; did you mean ${meant}?` : ', see docs/configuration.md';
}

/**
 * Returns the text of a setting from its variable or, for a secret, from the file that the variable with _FILE names.
 */
function readVariable(environment: Environment, { variable, schema }: Setting, problems: string[]): string | undefined {
  const text = environment[variable] || undefined;
  const path = schema.secret ? environment[`${variable}_FILE`] : undefined;
  if (!path) return text;
  if (text) problems.push(`${variable} and ${variable}_FILE are both set; keep one of them`);
  try {
    // Editors and `echo` end the file with a line break, which is not part of the secret.
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    problems.push(`${variable}_FILE names the file ${path}, which cannot be read: ${(error as Error).message}`);
    return undefined;
  }
}

/** Converts a variable's text to a value; invalid text is returned unchanged, for the schema to reject. */
function parseText(text: string, { schema }: Setting): unknown {
  if (schema.json) return parseJson(text);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
    case 'boolean':
      return { true: true, false: false }[text.trim().toLowerCase()] ?? text;
    case 'array':
      return text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
    default:
      return text;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function problemsOf(setting: Setting, value: unknown): string[] {
  const { field, variable, schema } = setting;
  if (field === 'connections') return connectionProblems(value).map((problem) => `${variable}: ${problem}`);
  const fits = Value.Check(ConfigSchema.properties[field], value) && checkValue(field, value);
  if (fits) return [];
  const shown = schema.secret ? '' : `, not ${JSON.stringify(value)}`;
  return [`${variable} must be ${valuesOf(schema)}${shown}`];
}
