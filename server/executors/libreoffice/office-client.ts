/**
 * Synchronous access to this thread's office process: each call blocks until the answer arrives, because engines are
 * synchronous.
 */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { CalculationError } from '#server/calculation/engine.ts';
import type { Answer, Command, HostSettings, Results } from './messages.ts';

/** Milliseconds allowed for calls without their own limit. */
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * The office process ended during a call, or was restarted since the document was opened. Documents must be reopened.
 */
export class OfficeGone extends Error {
  override name = 'OfficeGone';
}

export class OfficeClient {
  private readonly worker: Worker;
  private readonly port: MessagePort;
  private readonly signal = new Int32Array(new SharedArrayBuffer(4));
  private calls = 0;

  constructor(program: string, memoryBytes: number, hidden: readonly string[]) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    const workerData: HostSettings & { port: unknown } = {
      program,
      memoryBytes,
      hidden,
      signal: this.signal,
      port: port2,
    };
    this.worker = new Worker(new URL('office-host.ts', import.meta.url), { workerData, transferList: [port2] });
    this.worker.unref();
    port1.unref();
  }

  /**
   * Throws OfficeGone if the office process ended. Throws CalculationError 'limit' after `timeLimit` milliseconds,
   * which also ends the process, and 'failed' if LibreOffice refuses the command.
   */
  call<K extends Command['kind']>(command: Extract<Command, { kind: K }>, timeLimit = DEFAULT_TIMEOUT_MS): Results[K] {
    const number = ++this.calls;
    const end = Date.now() + timeLimit;
    this.port.postMessage({ number, command }, []);
    for (;;) {
      const seen = Atomics.load(this.signal, 0);
      for (let next = this.receive(); next; next = this.receive()) {
        if (next.number === number) return resultOf(next) as Results[K];
      }
      if (Atomics.wait(this.signal, 0, seen, Math.max(0, end - Date.now())) === 'timed-out' && Date.now() >= end) {
        this.port.postMessage({ number: ++this.calls, command: { kind: 'stop' } }, []);
        throw new CalculationError('limit', `The calculation took longer than ${timeLimit} ms`);
      }
    }
  }

  private receive(): Answer | null {
    const message = receiveMessageOnPort(this.port) as { message: Answer } | undefined;
    return message?.message ?? null;
  }

  /** Ends the office process and its keeper script. */
  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

function resultOf(answer: Answer): Results[keyof Results] {
  if ('result' in answer) return answer.result;
  if (answer.gone) throw new OfficeGone(answer.error);
  throw new CalculationError('failed', `LibreOffice: ${answer.error}`);
}
