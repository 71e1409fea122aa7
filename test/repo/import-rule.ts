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

/** The two lowest parts of the server, which all others may import. Their own rules say that base is below background. */
const SERVER_BASE = 'server/(base|background)/';
const isCompositionRoot = (path: string): boolean => path.startsWith('server/compose/');
const isModule = (path: string): boolean => /^server\/features\/[^/]+\/[^/]+-module\.ts$/.test(path);
/** What lies below the features, as their modules receive it. */
const CORE = 'server/features/core.ts';
const feature = (path: string): string => /^server\/features\/([^/]+)\//.exec(path)?.[1] ?? '';

const NODE = /^node:/;
const HTTP_OR_DATABASE = /^(fastify|@fastify\/.*|knex|pg|tedious)$/;

/** What the queue, workflows and automation may import. */
const BELOW_QUEUE = `shared/|server/(versions|access|db|files|folders|connections|mail|pdf)/|server/(executors/(executor|activity-definition|procedure-call|procedure-definition|step-services|folder-files)|config/config-schema)\\.ts|${SERVER_BASE}`;

/** Types of rows and parts of queries that repositories take from the part that owns them. */
const ROWS_OF_OTHERS = 'server/(automation/.+-row|queue/batch-runs|files/stored-length)\\.ts';
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
    may: new RegExp(`^(shared/|server/http/|server/files/(file-[a-z]+|received-file)\\.ts|${SERVER_BASE})`),
    never: /^(knex|pg|tedious)$/,
    says: 'the HTTP layer knows no feature and no database',
  },
  {
    files: /^server\/sheets\//,
    may: new RegExp(`^(shared/|server/sheets/|server/files/received-file\\.ts|${SERVER_BASE})`),
    never: HTTP_OR_DATABASE,
    says: 'sheets turn values into files and back, and know neither HTTP, the database nor features',
  },
  {
    files: /^server\/access\//,
    may: new RegExp(`^(shared/|server/(access|db)/|${SERVER_BASE})`),
    never: WEB,
    says: 'access knows the database, and neither HTTP, the queue nor features',
  },
  {
    files: /^server\/versions\//,
    may: new RegExp(
      `^(shared/|server/(versions|access|db|files)/|server/executors/(executor|activity-definition)\\.ts|server/calculation/reader/workbook-model\\.ts|${SERVER_BASE})`,
    ),
    never: WEB,
    says: 'what a version says, and how it is stored, is below the queue and features',
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
    files: /^server\/background\//,
    may: /^(shared|server\/(base|background))\//,
    never: HTTP_OR_DATABASE,
    says: 'background knows the base alone',
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
    files: /^server\/features\/[^/]+\/[^/]+-module\.ts$/,
    may: new RegExp(
      `^(shared/|server/(access|automation|config|connections|db|executors|features|files|folders|mail|queue|sheets|versions|workflows)/|${SERVER_BASE})`,
    ),
    never: /^(knex|pg|tedious)$/,
    says: "modules create a feature's services from the parts below, and register its routes",
  },
  {
    files: /^server\/features\/[^/]+\/.*-routes\.ts$/,
    may: new RegExp(`^(shared/|server/(http|access|features|versions|files|folders|db/database\\.ts)|${SERVER_BASE})`),
    never: /^(pg|tedious)$/,
    says: 'routes call services',
  },
  {
    files: /^server\/features\/files\/upload-handler\.ts$/,
    may: new RegExp(`^(shared/|server/(files|features)/|server/http/read-multipart\\.ts|${SERVER_BASE})`),
    says: 'the handler of uploads reads calls for routes, and calls services',
  },
  {
    files: /^server\/features\/[^/]+\/.*-repository\.ts$/,
    may: new RegExp(
      `^(shared/|server/(db|access|features|versions)/|server/executors/(executor|activity-definition)\\.ts|${ROWS_OF_OTHERS}|${SERVER_BASE})`,
    ),
    never: /^(fastify|@fastify\/.*)$/,
    says: 'repositories know the database alone',
  },
  {
    files: /^server\/features\//,
    may: new RegExp(
      `^(shared/|server/(db|access|features|versions|sheets|files|folders|config|queue|workflows|automation|calculation|connections|mail)/|server/executors/(executor|activity-definition|evaluable|procedure-call|procedure-definition|step-services|workbook/compare/workbook-comparer)\\.ts|${SERVER_BASE})`,
    ),
    says: 'services call repositories and other services',
  },
  {
    files: /^server\/operations\//,
    may: new RegExp(
      `^(shared/|server/(operations|access|db|files|config|queue|workflows|automation|features/[^/]+/[^/]+-service\\.ts)|${SERVER_BASE})`,
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
      `^(shared/|server/cli/|server/executors/(executor|activity-definition|workbook/workbook-executor)\\.ts|${SERVER_BASE})`,
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
    files: /^desktop\/renderer\/(ui|api|language)\//,
    may: /^(shared|desktop\/(renderer\/(ui|api|language)|bridge))\//,
    never: NODE,
    says: 'parts that every screen uses know no feature',
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
  // Scripts and the build have no import alias.
  if (specifier.includes('../../') && !/^(scripts|build)\//.test(target ?? ''))
    return violation('no deep relative paths');
  if (target !== null && !/\.[a-z]+$/.test(target)) return violation('imports name their file with its extension');
  if (isTest(from)) return null;
  // Benches and the photographs create their workbooks and databases in the same way as tests.
  const isBench = /^scripts\/(bench|photograph)\//.test(from);
  if (target !== null && isTest(target) && !isBench) return violation('only tests and benches import tests');
  const rule = RULES.find(({ files }) => files.test(from));
  if (!rule) return null;
  if (target === null) return rule.never?.test(specifier) ? violation(rule.says) : null;
  if (!rule.may.test(target)) return violation(rule.says);
  return featureViolation(from, target) === null ? null : violation(featureViolation(from, target)!);
}

/**
 * Within the server's features: module → routes → service → repository. A feature imports another feature's
 * `*-service.ts` or `*-module.ts`, nothing else. What several features share otherwise belongs to a layer below them.
 * The composition root imports modules alone.
 */
function featureViolation(from: string, target: string): string | null {
  if (!target.startsWith('server/features/')) return null;
  if (target === CORE) return isModule(from) || isCompositionRoot(from) ? null : 'only modules receive the core';
  if (isCompositionRoot(from) && !isModule(target)) return 'the composition root knows features by their modules alone';
  const isOther = feature(from) !== '' && feature(from) !== feature(target);
  const isRepository = target.endsWith('-repository.ts');
  if (isRepository && feature(from) !== feature(target)) return 'a repository is called by its own feature alone';
  if (isRepository && from.endsWith('-routes.ts')) return 'routes call services, never repositories';
  if (target.endsWith('-routes.ts') && !isModule(from)) return 'the module of a feature registers its routes';
  if (isOther && !/-(service|module)\.ts$/.test(target))
    return "features import each other's services and modules alone";
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
