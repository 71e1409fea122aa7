/** Evaluates XPath 1.0 over a document. Namespaces are compared by their prefixes. */
import type { XmlNode } from './document.ts';
import { stringValue } from './document.ts';
import { toXPathBoolean, toXPathNumber, toXPathText, XPATH_FUNCTIONS } from './functions.ts';
import type { Focus, XPathValue } from './functions.ts';
import type { Axis, BinaryXPath, Step, XPath } from './syntax.ts';

/**
 * Returns the result of an expression; null if it uses unknown functions or names, or wrong types. `spend` is called
 * for each visited node.
 */
export function evaluateXPath(tree: XPath, root: XmlNode, spend: (steps: number) => void): XPathValue | null {
  try {
    return new Evaluation(root, spend).value(tree, { node: root, position: 1, size: 1 });
  } catch (error) {
    if (error instanceof Misuse) return null;
    throw error;
  }
}

class Misuse extends Error {}

class Evaluation {
  private readonly root: XmlNode;
  private readonly spend: (steps: number) => void;

  constructor(root: XmlNode, spend: (steps: number) => void) {
    this.root = root;
    this.spend = spend;
  }

  value(tree: XPath, focus: Focus): XPathValue {
    switch (tree.type) {
      case 'number':
      case 'text':
        return tree.value;
      case 'negative':
        return -toXPathNumber(this.value(tree.operand, focus));
      case 'call':
        return this.call(tree.name, tree.args, focus);
      case 'binary':
        return this.binary(tree.operator, tree.left, tree.right, focus);
      case 'path':
        return this.path(tree, focus);
    }
  }

  private call(name: string, args: readonly XPath[], focus: Focus): XPathValue {
    const definition = XPATH_FUNCTIONS.get(name);
    if (!definition || args.length < definition.minArguments || args.length > definition.maxArguments)
      throw new Misuse(name);
    const value = definition.call(
      args.map((arg) => this.value(arg, focus)),
      focus,
    );
    if (value === null) throw new Misuse(name);
    return value;
  }

  private binary(operator: BinaryXPath, left: XPath, right: XPath, focus: Focus): XPathValue {
    const a = this.value(left, focus);
    if (operator === 'or') return toXPathBoolean(a) || toXPathBoolean(this.value(right, focus));
    if (operator === 'and') return toXPathBoolean(a) && toXPathBoolean(this.value(right, focus));
    const b = this.value(right, focus);
    if (operator === '|') return inOrder([...nodesOf(a), ...nodesOf(b)]);
    const calculate = ARITHMETIC[operator];
    return calculate ? calculate(toXPathNumber(a), toXPathNumber(b)) : this.compares(operator, a, b);
  }

  /** Node sets compare as true if any of their nodes does. */
  private compares(operator: BinaryXPath, a: XPathValue, b: XPathValue): boolean {
    if (typeof a === 'boolean' || typeof b === 'boolean') {
      if (operator === '=' || operator === '!=')
        return (toXPathBoolean(a) === toXPathBoolean(b)) === (operator === '=');
      return ordered(operator, toXPathNumber(a), toXPathNumber(b));
    }
    if (typeof a === 'object') {
      this.spend(a.length);
      return a.some((node) => this.compares(operator, stringValue(node), b));
    }
    if (typeof b === 'object') {
      this.spend(b.length);
      return b.some((node) => this.compares(operator, a, stringValue(node)));
    }
    if (operator !== '=' && operator !== '!=') return ordered(operator, toXPathNumber(a), toXPathNumber(b));
    const isNumber = typeof a === 'number' || typeof b === 'number';
    const isEqual = isNumber ? toXPathNumber(a) === toXPathNumber(b) : toXPathText(a) === toXPathText(b);
    return isEqual === (operator === '=');
  }

  private path(tree: Extract<XPath, { type: 'path' }>, focus: Focus): readonly XmlNode[] {
    let nodes: readonly XmlNode[] = [tree.isAbsolute ? this.root : focus.node];
    if (tree.from) {
      nodes = nodesOf(this.value(tree.from, focus));
      for (const predicate of tree.predicates) nodes = this.filtered(nodes, predicate);
    }
    for (const step of tree.steps) nodes = inOrder(nodes.flatMap((node) => this.step(node, step)));
    return nodes;
  }

  private step(node: XmlNode, { axis, test, predicates }: Step): readonly XmlNode[] {
    const kind = axis === 'attribute' ? 'attribute' : 'element';
    let found: readonly XmlNode[] = along(node, axis).filter((candidate) => {
      this.spend(1);
      if (test === 'node()') return true;
      if (test === 'text()') return candidate.kind === 'text';
      return candidate.kind === kind && fits(candidate.name, test);
    });
    for (const predicate of predicates) found = this.filtered(found, predicate);
    return found;
  }

  /** A number is the position of a node; any other value is converted to a Boolean. */
  private filtered(nodes: readonly XmlNode[], predicate: XPath): readonly XmlNode[] {
    return nodes.filter((node, index) => {
      const value = this.value(predicate, { node, position: index + 1, size: nodes.length });
      return typeof value === 'number' ? value === index + 1 : toXPathBoolean(value);
    });
  }
}

const fits = (name: string, test: string): boolean =>
  test === '*' || name === test || (test.endsWith(':*') && name.startsWith(test.slice(0, -1)));

function nodesOf(value: XPathValue): readonly XmlNode[] {
  if (typeof value !== 'object') throw new Misuse('nodes are expected');
  return value;
}

const ARITHMETIC: Partial<Record<BinaryXPath, (x: number, y: number) => number>> = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
  div: (x, y) => x / y,
  mod: (x, y) => x % y,
};

function ordered(operator: BinaryXPath, x: number, y: number): boolean {
  if (operator === '<') return x < y;
  if (operator === '<=') return x <= y;
  return operator === '>' ? x > y : x >= y;
}

function inOrder(nodes: readonly XmlNode[]): readonly XmlNode[] {
  return [...new Set(nodes)].sort((a, b) => a.order - b.order);
}

/** Returns the nodes of an axis, nearest first. */
function along(node: XmlNode, axis: Axis): XmlNode[] {
  switch (axis) {
    case 'self':
      return [node];
    case 'child':
      return node.children;
    case 'attribute':
      return node.attributes;
    case 'parent':
      return node.parent ? [node.parent] : [];
    case 'ancestor':
      return ancestors(node);
    case 'ancestor-or-self':
      return [node, ...ancestors(node)];
    case 'descendant':
      return descendants(node);
    case 'descendant-or-self':
      return [node, ...descendants(node)];
    case 'following-sibling':
      return siblings(node, 1);
    case 'preceding-sibling':
      return siblings(node, -1);
    case 'following':
      return beyond(node, 1);
    case 'preceding':
      return beyond(node, -1);
  }
}

function ancestors(node: XmlNode): XmlNode[] {
  const found: XmlNode[] = [];
  for (let next = node.parent; next; next = next.parent) found.push(next);
  return found;
}

function descendants(node: XmlNode): XmlNode[] {
  const found: XmlNode[] = [];
  const open = node.children.toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    found.push(next);
    for (let index = next.children.length - 1; index >= 0; index -= 1) open.push(next.children[index]!);
  }
  return found;
}

function siblings(node: XmlNode, direction: 1 | -1): XmlNode[] {
  if (!node.parent || node.kind === 'attribute') return [];
  const all = node.parent.children;
  const at = all.indexOf(node);
  return direction > 0 ? all.slice(at + 1) : all.slice(0, at).reverse();
}

/** Returns all nodes after or before a node in the document, without its ancestors. */
function beyond(node: XmlNode, direction: 1 | -1): XmlNode[] {
  return [node, ...ancestors(node)].flatMap((own) =>
    siblings(own, direction).flatMap((sibling) => {
      const all = [sibling, ...descendants(sibling)];
      return direction > 0 ? all : all.reverse();
    }),
  );
}
