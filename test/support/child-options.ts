/**
 * The settings that a program started by a test inherits from this process: the Node.js options, with which tests can
 * load a driver bridge, and the folder of compiled modules. Without that folder, the program would compile the whole
 * server again.
 */
export function nodeOptions(): Record<string, string> {
  const { NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env;
  return {
    ...(NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS }),
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
  };
}
