/** What a program that a test starts takes over of this process: the options of Node.js, by which tests may load what bridges a driver. */
export function nodeOptions(): Record<string, string> {
  const { NODE_OPTIONS } = process.env;
  return NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS };
}
