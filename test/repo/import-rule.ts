import { isTest, type Import } from './source-files.ts';

/** A folder (or type of file) and what it may not import. Only the first rule that matches a file's path applies. */
interface Rule {
  files: RegExp;
  /** Own files it may import; all others violate the rule. */
  may: RegExp;
  /** Packages it must not import. */
  never?: RegExp;
  says: string;
}

const SERVER_BASE = 'server/base/';
const isCompositionRoot = (path: string): boolean => path.startsWith('server/compose/');
const feature = (path: string): string => /^server\/features\/([^/]+)\//.exec(path)?.[1] ?? '';

const NODE = /^node:/;
const HTTP_OR_DATABASE = /^(fastify|@fastify\/.*|knex|pg|tedious)$/;

/** What the queue, workflows and automation may import. */
const BELOW_QUEUE = `shared/|server/(versions|db|files|folders|connections|mail|pdf)/|server/(executors/(executor|procedure-call|procedure-definition|step-services|folder-files)|config/config-schema)\\.ts|${SERVER_BASE}`;
const WEB = /^(fastify|@fastify\/.*)$/;

const RULES: Rule[] = [
  { files: /^shared\//, may: /^shared\//, never: NODE, says: 'shared imports itself alone' },
  {
    files: /^migrations\//,
    may: /^migrations\//,
    says: 'a migration never changes, so it depends on nothing that does',
  },
  {
    files: /^server\/calculation\//,
    may: /^(shared|server\/calculation)\//,
    never: NODE,
    says: 'calculation is pure and knows nobody',
  },
  {
    files: /^server\/executors\//,
    may: new RegExp(`^(shared/|server/(calculation|executors)/|server/mail/mail-addresses\\.ts|${SERVER_BASE})`),
    never: HTTP_OR_DATABASE,
    says: 'executors know neither HTTP, nor the database, nor the queue',
  },
  {
    files: /^server\/(db|files|folders|config)\//,
    may: new RegExp(`^(shared/|server/(db|files|folders|config)/|server/mail/mail-addresses\\.ts|${SERVER_BASE})`),
    says: 'database, files and settings are below everything else',
  },
  {
    files: /^server\/http\//,
    may: new RegExp(`^(shared/|server/http/|${SERVER_BASE})`),
    never: /^(knex|pg|tedious)$/,
    says: 'the HTTP layer knows no feature and no database',
  },
  {
    files: /^server\/versions\//,
    may: new RegExp(`^(shared/|server/(versions|db)/|server/executors/executor\\.ts|${SERVER_BASE})`),
    says: 'what a version says is below the queue and features',
  },
  {
    files: /^server\/connections\//,
    may: new RegExp(`^(shared/|server/(connections|db|config)/|${SERVER_BASE})`),
    says: 'connections know no feature',
  },
  {
    files: /^server\/automation\/deliveries\//,
    may: new RegExp(`^(shared/|server/(automation/deliveries|db)/|${SERVER_BASE})`),
    says: 'deliveries know no feature',
  },
  {
    files: /^server\/base\//,
    may: /^(shared|server\/base)\//,
    says: 'the base knows nobody',
  },
  {
    files: /^server\/queue\//,
    may: new RegExp(`^(${BELOW_QUEUE}|server/queue/)`),
    never: WEB,
    says: 'the queue knows executors by their interface alone, and neither workflows, features nor HTTP',
  },
  {
    files: /^server\/workflows\//,
    may: new RegExp(`^(${BELOW_QUEUE}|server/(queue|workflows)/)`),
    never: WEB,
    says: 'workflows know the queue, and neither schedules, features nor HTTP',
  },
  {
    files: /^server\/automation\//,
    may: new RegExp(`^(${BELOW_QUEUE}|server/(queue|workflows|automation)/)`),
    never: WEB,
    says: 'automation knows the queue and workflows, and neither features nor HTTP',
  },
  {
    files: /^server\/features\/[^/]+\/.*-routes\.ts$/,
    may: new RegExp(`^(shared/|server/(http|features|versions|files|folders|db/database\\.ts)|${SERVER_BASE})`),
    never: /^(pg|tedious)$/,
    says: 'routes call services',
  },
  {
    files: /^server\/features\/[^/]+\/.*-repository\.ts$/,
    may: new RegExp(`^(shared/|server/(db|features|versions)/|server/executors/executor\\.ts|${SERVER_BASE})`),
    never: /^(fastify|@fastify\/.*)$/,
    says: 'repositories know the database alone',
  },
  {
    files: /^server\/features\//,
    may: new RegExp(
      `^(shared/|server/(db|features|versions|files|folders|config|queue|workflows|automation|calculation|connections|mail)/|server/executors/(executor|evaluable|procedure-call|procedure-definition|step-services|workbook/compare/workbook-comparer)\\.ts|${SERVER_BASE})`,
    ),
    says: 'services call repositories and other services',
  },
  {
    files: /^server\/operations\//,
    may: new RegExp(
      `^(shared/|server/(operations|db|files|config|queue|workflows|automation|features/[^/]+/[^/]+-service\\.ts)|${SERVER_BASE})`,
    ),
    never: /^(fastify|@fastify\/.*|pg|tedious)$/,
    says: 'operations look at database, files and services, and no route knows them',
  },
  {
    files: /^server\/cli\/operator(-commands\.ts|\/)/,
    may: /^(shared|server)\//,
    says: "operators' commands are made of the server's parts",
  },
  {
    files: /^server\/cli\//,
    may: new RegExp(
      `^(shared/|server/cli/|server/executors/(executor|workbook/workbook-executor)\\.ts|${SERVER_BASE})`,
    ),
    never: HTTP_OR_DATABASE,
    says: 'the command line speaks to portals by their calls, and calculates by an executor',
  },
  { files: /^server\//, may: /^(shared|server)\//, says: 'the server imports shared and itself' },
  { files: /^desktop\/bridge\//, may: /^desktop\/bridge\//, says: 'the bridge imports itself alone' },
  {
    files: /^desktop\/preload\//,
    may: /^desktop\/(preload|bridge)\//,
    never: NODE,
    says: 'preload imports the bridge',
  },
  {
    files: /^desktop\/servers\//,
    may: /^desktop\/(servers|bridge)\//,
    never: /^(node:|electron$)/,
    says: 'the pages of servers import the bridge',
  },
  {
    files: /^desktop\/main\/electron-[a-z-]+\.ts$/,
    may: /^(shared|desktop\/(main|bridge))\//,
    says: 'main imports shared and the bridge',
  },
  {
    files: /^desktop\/main\//,
    may: /^(shared|desktop\/(main|bridge))\//,
    never: /^electron$/,
    says: 'main imports shared and the bridge, and Electron in files named electron-… alone',
  },
  {
    files: /^desktop\/renderer\//,
    may: /^(shared|desktop\/(renderer|bridge))\//,
    never: NODE,
    says: 'the renderer imports shared and the bridge',
  },
];

/** Returns the problem of an import; null if there is none. */
export function importViolation({ from, specifier, target }: Import): string | null {
  const violation = (says: string): string => `${from} imports ${specifier}: ${says}`;
  // Scripts have no import alias; only tests import them.
  if (specifier.includes('../../') && !target?.startsWith('scripts/')) return violation('no deep relative paths');
  if (target !== null && !/\.[a-z]+$/.test(target)) return violation('imports name their file with its extension');
  if (isTest(from)) return null;
  // Benchmarks create their workbooks and databases in the same way as tests.
  const isBench = from.startsWith('scripts/bench/');
  if (target !== null && isTest(target) && !isBench) return violation('only tests and benches import tests');
  const rule = RULES.find(({ files }) => files.test(from));
  if (!rule) return null;
  if (target === null) return rule.never?.test(specifier) ? violation(rule.says) : null;
  if (!rule.may.test(target)) return violation(rule.says);
  return featureViolation(from, target) === null ? null : violation(featureViolation(from, target)!);
}

/**
 * Within the server's features: routes → service → repository; other features only through files that are neither
 * routes nor repositories.
 */
function featureViolation(from: string, target: string): string | null {
  if (!target.startsWith('server/features/')) return null;
  const isRepository = target.endsWith('-repository.ts');
  if (isRepository && feature(from) !== feature(target)) return 'a repository is called by its own feature alone';
  if (isRepository && from.endsWith('-routes.ts')) return 'routes call services, never repositories';
  if (target.endsWith('-routes.ts') && !isCompositionRoot(from)) return 'routes are put together in server/compose';
  if (from.endsWith('-repository.ts') && target.endsWith('-service.ts')) return 'a repository calls no service';
  return null;
}

/**
 * Returns import cycles, each as a list of files. Type imports count: files that refer to each other can be understood
 * and changed only together.
 */
export function importCycles(imports: Import[]): string[][] {
  const graph = Map.groupBy(
    imports.filter(({ target }) => target !== null),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string, path: string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      cycles.push([...path.slice(start), file]);
      return;
    }
    if (done.has(file)) return;
    for (const { target } of graph.get(file) ?? []) visit(target!, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}
