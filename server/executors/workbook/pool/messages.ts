/** Messages between the main thread and a worker thread. */
import type { RegionWish, WorkbookRegion } from '#server/calculation/reader/workbook-model.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { FormInputValue, FormUpdate, Inspection, RunLogLine, RunOutcome } from '#server/executors/executor.ts';

import type { ExpressionResult, ExpressionTask } from '#shared/rules/workflows/expression-task.ts';
import type { Mark } from '#shared/contract/designs.ts';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import type { OpenedDesign } from '#server/executors/executor.ts';
import type { InstalledOffice } from '#server/executors/libreoffice/find-office.ts';
import type { StepAsk, StepCapabilities } from '#server/executors/step-services.ts';
import type { EvaluateAnswer, EvaluateTask } from '../evaluate/evaluate-rows.ts';

export interface ThreadSettings {
  /** True if the thread starts before there is a task for it, so that it has time to warm up. */
  isAhead: boolean;
  /** LibreOffice, if it is used in addition to our own engine. */
  office: InstalledOffice | null;
  /** Maximum number of workbooks that a thread caches, and of the bytes they use in total. */
  warmCount: number;
  warmBytes: number;
  /** The same for models of forms, and the milliseconds they may stay unused. */
  formCount: number;
  formBytes: number;
  formAge: number;
}

export type Task =
  | {
      kind: 'inspect';
      fileName: string;
      acceptUnsupported: string[];
      region: RegionWish;
      capabilities: StepCapabilities;
    }
  | DesignTask
  | {
      kind: 'run';
      versionKey: string;
      definition: ActivityDefinition;
      fileName: string;
      timeLimit: number;
      inputs: { Name: string; value: string | null; fileNames: string[] }[];
    }
  | {
      kind: 'form';
      formKey: string;
      versionKey: string;
      definition: ActivityDefinition;
      timeLimit: number;
      inputs: FormInputValue[];
    }
  | ({ kind: 'evaluate' } & EvaluateTask)
  | ({ kind: 'expressions' } & ExpressionTask);

/** `hasLastVersion` is true if the file with the earlier marks can be requested, as an input named LAST_VERSION. */
export type DesignTask =
  | { kind: 'openDesign'; fileName: string; hasLastVersion: boolean; region: RegionWish }
  | {
      kind: 'checkMarks';
      fileName: string;
      marks: Mark[];
      capabilities: StepCapabilities;
      region: WorkbookRegion | null;
    }
  | { kind: 'writeMarks'; fileName: string; marks: Mark[] };

/** The name under which the thread requests the file of the last version. */
export const LAST_VERSION = 'last version';

/** A definition by its number. `definition` is null if the thread already received it. */
export interface SentDefinition {
  number: number;
  definition: ActivityDefinition | null;
  /** True if the thread must drop all earlier definitions. */
  forgets: boolean;
}

type WithoutDefinition<T> = T extends unknown ? Omit<T, 'definition'> : never;

export type FormAnswer = FormUpdate | { refusal: string };
export type TaskResult =
  | Inspection
  | RunOutcome
  | FormAnswer
  | EvaluateAnswer
  | { expressions: ExpressionResult[] }
  | OpenedDesign
  | MarkedFile
  | DesignRefused;

export interface MarkedFile {
  bytes: Uint8Array;
}

export interface DesignRefused {
  refusedBecause: WorkbookProblem;
}

/** A file that only the main thread can access: the workbook itself, or the file of an input. */
export type Wanted = { what: 'workbook' } | { what: 'input'; name: string; index: number };

export type ToThread =
  | { type: 'task'; task: WithoutDefinition<Task>; sent: SentDefinition | null }
  | { type: 'bytes'; request: number; bytes: Uint8Array }
  | { type: 'noBytes'; request: number; message: string }
  | { type: 'answer'; request: number; answer: unknown }
  /** `status` is that of a refused step; null for a server error. */
  | { type: 'refusal'; request: number; status: 'Failed' | 'LogicError' | null; message: string };

export type FromThread =
  | { type: 'wants'; request: number; wanted: Wanted }
  | { type: 'asks'; request: number; ask: StepAsk }
  | { type: 'log'; line: RunLogLine }
  | { type: 'progress'; phase: string; share: number | null }
  /** `isBroken` means that the thread must not be reused; `memory` is the number of bytes it holds. */
  | { type: 'done'; result: TaskResult; isBroken: boolean; memory: number }
  | { type: 'failed'; error: unknown; isBroken: boolean; memory: number };

/** Returns the bytes in a separate buffer, so that transferring it takes nothing else from the sender. */
export function transferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isEntireBuffer =
    buffer instanceof ArrayBuffer && bytes.byteOffset === 0 && bytes.byteLength === buffer.byteLength;
  return isEntireBuffer ? new Uint8Array(buffer) : Uint8Array.from(bytes);
}
