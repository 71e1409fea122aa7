/** Worker thread that checks long values of a start; see start-inputs.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { checkStartInputs, type StartInputs } from './start-inputs.ts';

parentPort?.postMessage(checkStartInputs(workerData as StartInputs), []);
