/** The thread in which long values of a form are read; see forms-service.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { formValues, type SentValues } from './form-values.ts';

parentPort?.postMessage(formValues(workerData as SentValues), []);
