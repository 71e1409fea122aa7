/**
 * What a program that a test starts takes over of this process: the options of Node.js, by which tests may load what bridges a driver,
 * and the folder of compiled modules, without which it would compile the whole server again.
 */
export function nodeOptions(): Record<string, string> {
  const { NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env;
  return {
    ...(NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS }),
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
  };
}
