/** Starts the command `runsheet`. */
import { runCommand } from './program.ts';

/** The reader of the output may be gone, such as `head`: this is not an error. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCommand(process.argv.slice(2), {
  print: (text) => void process.stdout.write(`${text}\n`),
  printMessage: (text) => void process.stderr.write(`${text}\n`),
  env: process.env,
});
