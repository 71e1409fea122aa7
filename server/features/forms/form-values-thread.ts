/** Worker thread that parses long form values; see forms-service.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { formValues, type SentValues } from './form-values.ts';

parentPort?.postMessage(formValues(workerData as SentValues), []);
