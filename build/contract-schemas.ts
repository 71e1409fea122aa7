/**
 * Removes the schemas from the contract. The browser needs only the method and path of a call and how it is sent; the
 * server validates against the schemas. Otherwise the schema library would be part of every page. A small substitute
 * provides what contracts read from each other.
 */
import type { Plugin } from 'vite';

const LIBRARY = 'typebox';
const STAND_IN = '\0contract-schemas';

/** Schema types from which no properties are read. */
const PLAIN = [
  'Array',
  'Boolean',
  'Enum',
  'Integer',
  'Literal',
  'Null',
  'Number',
  'Optional',
  'Record',
  'String',
  'Union',
];
const OTHERS = ['Object', 'Pick', 'Unknown', 'Unsafe'];

const CODE = `const schema = {};
const plain = () => schema;
export const Type = {
  ${[...PLAIN, 'Unknown', 'Unsafe'].map((name) => `${name}: plain`).join(', ')},
  Object: (properties) => ({ properties }),
  Pick: ({ properties }, names) => ({ properties: Object.fromEntries(names.map((name) => [name, properties[name]])) }),
};`;

export function contractSchemas(): Plugin {
  const known = new Set([...PLAIN, ...OTHERS]);
  return {
    name: 'contract-schemas',
    enforce: 'pre',
    apply: 'build',
    resolveId: (id) => (id === LIBRARY ? STAND_IN : null),
    load: (id) => (id === STAND_IN ? CODE : null),
    transform(code) {
      if (!/from ["']typebox["']/.test(code)) return null;
      for (const [, name = ''] of code.matchAll(/\bType\.([A-Z]\w*)/g)) {
        if (!known.has(name))
          this.error(`Type.${name} is in a contract, and build/contract-schemas.ts knows nothing of it`);
      }
      return null;
    },
  };
}
