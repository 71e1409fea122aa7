/**
 * Finds the texts that the server and the shared rules show to users, by parsing their sources: every text that an
 * error or an issue can carry, with values in braces. A text is followed from its use (`new AppError(…)`, `message:`)
 * to its origin, through constants, conditionals and the callers of functions that pass it on.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDERS = ['server', 'shared/contract', 'shared/rules', 'shared/codecs'];
/** Tests are skipped, because the program never shows their texts. */
const NOT_PROGRAM = /\.(?:d|test)\.ts$|\/testing\//;
/** Sources whose texts never appear on a screen. */
const SKIPPED = /^server\/(cli|config|db|operations|pdf|main\.ts)/;

export interface ServerText {
  /** The text with values in braces. */
  text: string;
  path: string;
  line: number;
}

interface Node {
  type: string;
  start: number;
  end: number;
  parent: Node | null;
  [field: string]: unknown;
}

interface Module {
  path: string;
  code: string;
  program: Node;
  /** Origin of each import by its local name. */
  imports: Map<string, { path: string; name: string }>;
  calls: Node[];
  /** Values that are assigned to a field of issues or of a model state. */
  issues: Node[];
}

/** Errors with a message that reaches a user, with the index of the message argument. */
const ERRORS: Readonly<Record<string, number>> = {
  AppError: 2,
  ConnectionError: 1,
  FolderError: 1,
  InputShapeError: 0,
  ConditionError: 0,
  ArgumentError: 0,
  FilterError: 0,
  WorkbookFileError: 1,
  CalculationError: 1,
};
/**
 * Functions that report why a workbook cannot be published and how to fix it, with the indexes of the text arguments.
 */
const PROBLEM_FUNCTIONS = new Map([
  ['addProblem', [1, 2]],
  ['problem', [0, 1]],
  ['damaged', [0]],
]);
/** Modules that describe workbook problems in properties. */
const HAS_PROBLEM_PROPERTIES = /^server\/executors\/workbook\/(inspect|circular-results)\.ts$/;
const PROBLEM_PROPERTIES = /^(Message|Remedy)$/;
/** Modules with methods named `reason` that explain why a recalculated value differs from the saved one. */
const GIVES_REASONS = /^server\/calculation\/(fidelity|stale)\.ts$/;
const READS_WORKBOOKS = /^server\/(executors\/workbook|calculation\/reader)\//;
const SAID = /^([mM]essage|refused|issue|problem)$/;
const WORDS = /\p{L}{2}.* \S/su;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const nodesOf = (value: unknown): Node[] =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];

/** Sources have a million nodes, so this avoids creating an array for each. */
function forEachChild(node: Node, visit: (child: Node) => void): void {
  for (const field in node) {
    const value = node[field];
    if (field === 'parent' || typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) {
      if (isNode(value)) visit(value);
      continue;
    }
    for (const child of value) if (isNode(child)) visit(child);
  }
}

const nameOf = (value: unknown): string => {
  const name = isNode(value) ? (value['name'] ?? value['value']) : '';
  return typeof name === 'string' ? name : '';
};
const isIssue = (node: unknown): boolean =>
  isNode(node) && node.type === 'MemberExpression' && /^(issues|modelState)$/.test(nameOf(node['object']));
/** Returns the name of the called function or method. */
const calledName = (call: Node): string => {
  const callee = nodesOf(call['callee'])[0];
  return nameOf(callee) || nameOf(callee?.['property']);
};
const isFunction = (node: Node): boolean => /^(Arrow)?Function(Declaration|Expression)?/.test(node.type);

function parse(path: string): Module {
  const code = readFileSync(ROOT + path, 'utf8');
  const program = parseSync(path, code, { lang: 'ts' }).program as unknown as Node;
  const module: Module = { path, code, program, imports: new Map(), calls: [], issues: [] };
  const visit = (node: Node, parent: Node | null): void => {
    node.parent = parent;
    if (/^(Call|New)Expression$/.test(node.type)) module.calls.push(node);
    if (node.type === 'AssignmentExpression' && isIssue(node['left'])) module.issues.push(...nodesOf(node['right']));
    forEachChild(node, (child) => visit(child, node));
  };
  visit(program, null);
  for (const node of nodesOf(program['body'])) {
    if (node.type !== 'ImportDeclaration') continue;
    const specifier = nameOf(node['source']);
    const from = specifier.startsWith('#')
      ? specifier.slice(1)
      : specifier.startsWith('.')
        ? posix.join(posix.dirname(path), specifier)
        : null;
    for (const each of nodesOf(node['specifiers']))
      if (from) module.imports.set(nameOf(each['local']), { path: from, name: nameOf(each['imported']) });
  }
  return module;
}

function readModules(): Map<string, Module> {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map((name) => posix.join(folder, name)),
  ).filter((path) => path.endsWith('.ts') && !NOT_PROGRAM.test(path));
  return new Map(paths.map((path) => [path, parse(path)]));
}

export function readServerTexts(): ServerText[] {
  const modules = readModules();
  const found = new Map<string, ServerText>();
  const follow = createFollower(modules, ({ text, path, line }) => {
    if (WORDS.test(text.replaceAll(/\{\w*\}/g, '#'))) found.set(text, { text, path, line });
  });
  for (const module of modules.values()) {
    if (SKIPPED.test(module.path)) continue;
    for (const call of module.calls) {
      const at = ERRORS[nameOf(call['callee'])];
      if (call.type === 'NewExpression' && at !== undefined) follow(module, nodesOf(call['arguments'])[at]);
      if (call.type === 'CallExpression' && READS_WORKBOOKS.test(module.path))
        for (const index of PROBLEM_FUNCTIONS.get(calledName(call)) ?? [])
          follow(module, nodesOf(call['arguments'])[index]);
      if (call.type === 'NewExpression' && nameOf(call['callee']) === 'AppError') followModelState(module, call);
    }
    if (HAS_PROBLEM_PROPERTIES.test(module.path)) {
      visitProperties(module.program, (name, value) => {
        if (PROBLEM_PROPERTIES.test(name)) follow(module, value);
      });
    }
    if (GIVES_REASONS.test(module.path))
      for (const own of methodsOf(module.program, 'reason'))
        for (const result of resultsOf(own)) follow(module, result);
    if (!/^(server\/(features|queue|workflows|automation|versions)|shared\/rules)\//.test(module.path)) continue;
    visitProperties(module.program, (name, value) => {
      if (SAID.test(name)) follow(module, value);
    });
    for (const value of module.issues) follow(module, value);
  }
  return [...found.values()].toSorted((a, b) => (a.text < b.text ? -1 : 1));

  function followModelState(module: Module, call: Node): void {
    visitProperties(call, (name, value) => {
      if (value.type === 'ArrayExpression' && name !== 'cause')
        nodesOf(value['elements']).forEach((each) => follow(module, each));
    });
  }
}

function visitProperties(node: Node, found: (name: string, value: Node) => void): void {
  if (/^TS.*(Type|Declaration|Signature)/.test(node.type)) return;
  if (node.type === 'Property' && isNode(node['value']) && node.parent?.type === 'ObjectExpression')
    found(nameOf(node['key']), node['value']);
  forEachChild(node, (child) => visitProperties(child, found));
}

function methodsOf(program: Node, wanted: string): Node[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'MethodDefinition' && nameOf(node['key']) === wanted) found.push(...nodesOf(node['value']));
    forEachChild(node, visit);
  };
  visit(program);
  return found;
}

type Follow = (module: Module, node: Node | undefined) => void;

function createFollower(modules: ReadonlyMap<string, Module>, found: (text: ServerText) => void): Follow {
  const seen = new Set<Node>();
  const follow: Follow = (module, node) => {
    if (!node || seen.has(node)) return;
    seen.add(node);
    const each = (...fields: string[]): void =>
      fields.flatMap((field) => nodesOf(node[field])).forEach((part) => follow(module, part));
    switch (node.type) {
      case 'Literal':
        return found({ text: textOf(module, node), path: module.path, line: lineOf(module, node) });
      case 'TemplateLiteral':
        found({ text: textOf(module, node), path: module.path, line: lineOf(module, node) });
        // Inserted values may also be texts.
        return each('expressions');
      case 'ConditionalExpression':
        return each('consequent', 'alternate');
      case 'LogicalExpression':
        return each('left', 'right');
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
      case 'ParenthesizedExpression':
      case 'AwaitExpression':
      case 'ReturnStatement':
        return each('expression', 'argument');
      case 'ArrayExpression':
        return each('elements');
      case 'ObjectExpression':
        return nodesOf(node['properties']).forEach((property) => follow(module, nodesOf(property['value'])[0]));
      case 'MemberExpression':
        return followMember(module, node);
      case 'CallExpression':
        return followResult(module, node['callee']);
      case 'Identifier':
        return followName(module, node);
    }
  };

  /** For a member of a constant table, any of the table's texts is possible. */
  function followMember(module: Module, node: Node): void {
    const table = node['object'];
    if (isNode(table) && /^[A-Z][A-Z_]+$/.test(nameOf(table))) follow(module, table);
    if (isNode(table) && table.type === 'ObjectExpression') follow(module, table);
  }

  function followResult(module: Module, callee: unknown): void {
    const own = isNode(callee) && callee.type === 'Identifier' ? declared(module, callee) : null;
    if (!own || !isFunction(own.node) || seen.has(own.node)) return;
    seen.add(own.node);
    for (const result of resultsOf(own.node)) follow(own.module, result);
  }

  function followName(module: Module, node: Node): void {
    const own = declared(module, node);
    if (!own) return;
    if (own.argument === undefined) return follow(own.module, own.node);
    if (seen.has(own.node)) return;
    seen.add(own.node);
    for (const [caller, call] of callsOf(own.module, own.node))
      follow(caller, nodesOf(call['arguments'])[own.argument]);
  }

  /** Finds the declaration of a name: an expression, a function, or a parameter with its index. */
  function declared(module: Module, node: Node): { module: Module; node: Node; argument?: number } | null {
    const name = nameOf(node);
    for (let at = node.parent; at; at = at.parent) {
      if (isFunction(at)) {
        const argument = nodesOf(at['params']).findIndex(
          (param) => nameOf(param.type === 'AssignmentPattern' ? param['left'] : param) === name,
        );
        if (argument >= 0) return { module, node: nodesOf(at['params'])[argument]!, argument };
      }
      const own = ownDeclaration(nodesOf(at['body']), name);
      if (own) return { module, node: own };
    }
    const from = module.imports.get(name);
    const other = from && modules.get(from.path);
    const exported = other && ownDeclaration(nodesOf(other.program['body']), from.name);
    return exported ? { module: other, node: exported } : null;
  }

  function callsOf(module: Module, param: Node): [Module, Node][] {
    const owner = param.parent!;
    const name = nameOf(owner['id']) || (owner.parent?.type === 'VariableDeclarator' ? nameOf(owner.parent['id']) : '');
    if (name === '') return [];
    return [...modules.values()].flatMap((other) => {
      const from = [...other.imports].find(([, { path, name: theirs }]) => path === module.path && theirs === name);
      const local = other === module ? name : from?.[0];
      return local === undefined
        ? []
        : other.calls.filter((call) => nameOf(call['callee']) === local).map((call): [Module, Node] => [other, call]);
    });
  }
  return follow;
}

function ownDeclaration(statements: readonly Node[], name: string): Node | null {
  for (const statement of statements) {
    const node = nodesOf(statement['declaration'])[0] ?? statement;
    if (node.type === 'FunctionDeclaration' && nameOf(node['id']) === name) return node;
    for (const declarator of nodesOf(node['declarations']))
      if (nameOf(declarator['id']) === name) return nodesOf(declarator['init'])[0] ?? null;
  }
  return null;
}

function resultsOf(own: Node): Node[] {
  const body = nodesOf(own['body'])[0];
  if (!body) return [];
  if (body.type !== 'BlockStatement') return [body];
  const results: Node[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'ReturnStatement') results.push(node);
    if (isFunction(node)) return;
    forEachChild(node, visit);
  };
  nodesOf(body['body']).forEach(visit);
  return results;
}

/** Converts `ROWS_MAX` to 'rowsMax' and `Name` to 'name'. */
const plainName = (name: string): string =>
  /^[A-Z\d_]+$/.test(name)
    ? name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    : name.charAt(0).toLowerCase() + name.slice(1);

const lineOf = ({ code }: Module, node: Node): number => code.slice(0, node.start).split('\n').length;

/**
 * Returns a text with its values in braces, under their names in the source. An expression without a name is called
 * 'value', and a repeated name gets a number.
 */
function textOf(module: Module, node: Node): string {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : '';
  const names = new Set<string>();
  const values = nodesOf(node['expressions']).map((value) => {
    const known = /(?:^|\.)([A-Za-z]\w*)$/.exec(module.code.slice(value.start, value.end))?.[1] ?? 'value';
    const plain = plainName(known);
    const name = names.has(plain) ? `${plain}${names.size + 1}` : plain;
    names.add(name);
    return `{${name}}`;
  });
  const words = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  return words.map((word, index) => word + (values[index] ?? '')).join('');
}
