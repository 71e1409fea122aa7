/** Worker thread that makes the PDF file of a run; see run-report-builder.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { makePdf, shownCodePoints } from './pdf-document.ts';
import { ReportTooLargeError } from './report-limits.ts';
import { runReport, type ReportSource } from './run-report.ts';

try {
  const bytes = new Uint8Array(await makePdf(runReport(workerData as ReportSource, shownCodePoints())));
  parentPort?.postMessage(bytes, [bytes.buffer]);
} catch (error) {
  if (!(error instanceof ReportTooLargeError)) throw error;
  parentPort?.postMessage(null, []);
}
