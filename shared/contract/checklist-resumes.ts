/** Continuing an ended run of a checklist or workflow in a new run, which reuses results of the old one. */
import { Type, type Static } from 'typebox';
import { ChecklistInputValue } from './checklist-runs.ts';
import { ChecklistInput } from './checklists.ts';
import { closed, needsOn, nullable, post, RunId, RunParams, signedIn } from './endpoint.ts';
import { RetryEffect } from './run-failures.ts';
import { RunStatus } from './run-status.ts';
import { AGAIN_REASONS, AGAIN_ROWS, FOLLOWING } from '#shared/rules/workflows/steps-again.ts';

const StepKey = Type.String({ minLength: 1, maxLength: 40 });
const InputName = Type.String({ minLength: 1, maxLength: 30 });
/** Maximum number of steps of a workflow. */
const STEPS = { maxItems: 200, uniqueItems: true };

/**
 * The steps to run again. If absent, everything runs again that did not succeed. Everything else is reused as it ended.
 */
const From = closed({
  Steps: Type.Array(StepKey, { ...STEPS, minItems: 1 }),
  /**
   * Which of the steps after them run again too. 'All': all of them; the steps may have succeeded. 'Unsuccessful': those
   * that did not succeed. 'None': none. Approvals that were given after them are requested again in any case.
   */
  Following: Type.Enum(FOLLOWING),
  /**
   * For one step with rows: the only row to run again. If absent, all rows run again with 'All', otherwise those that
   * did not succeed.
   */
  RowKey: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});

const choice = {
  From: Type.Optional(nullable(From)),
  /**
   * True to run steps again with the newest versions of their activities instead of the versions that the run was
   * started with.
   */
  LatestVersions: Type.Optional(Type.Boolean()),
};

/** A step as the new run would treat it. */
export const ResumedStep = closed({
  StepKey: Type.String(),
  StepName: Type.String(),
  Kind: Type.Enum(['Activity', 'ForEach', 'Approval', 'Decision'] as const),
  /** Name of the activity; the step's own name if it runs no activity. */
  Name: Type.String(),
  /** Its outcome in the earlier run. */
  Status: RunStatus,
  /** 'NotRun': a reused result already decides that it does not run; Message says why. */
  Will: Type.Enum(['Reuse', 'Run', 'NotRun'] as const),
  Message: Type.String(),
  /** Why it runs again; null if it does not. */
  Because: nullable(Type.Enum(AGAIN_REASONS)),
  /** Which rows of a ForEach step run again; null for other steps. */
  Rows: nullable(Type.Enum(AGAIN_ROWS)),
  /** What it changes outside the run; empty if it does not run. */
  Effects: Type.Array(RetryEffect),
  /**
   * True if a run of its activity was started before, in this run or one that it continues, so it may already have
   * changed that.
   */
  HasRun: Type.Boolean(),
  /** True if the call that resumes must name the step in Confirmed. */
  MustConfirm: Type.Boolean(),
});
export type ResumedStep = Static<typeof ResumedStep>;

export const ResumePlan = closed({
  /** In their order. */
  Steps: Type.Array(ResumedStep),
  /** The inputs of the workflow in the versions of the run, as far as the user may see them. */
  Inputs: Type.Array(ChecklistInput),
  /** Why the run cannot be resumed like this; null if it can. */
  Problem: nullable(Type.String()),
  /** Names of the activities that have newer versions than those with which steps would run again. */
  NewerVersions: Type.Array(Type.String()),
});
export type ResumePlan = Static<typeof ResumePlan>;

export const planChecklistResume = post('/api/checklists/resumeplan/:runId', {
  access: signedIn,
  summary: 'What resuming a run would run again and reuse; starts nothing',
  parts: {
    params: RunParams,
    body: closed({
      ...choice,
      /** Names of the inputs that would get other values. */
      ChangedInputs: Type.Optional(Type.Array(InputName, STEPS)),
    }),
    result: ResumePlan,
  },
});

export const resumeChecklistRun = post('/api/checklists/resume/:runId', {
  access: needsOn('sk.RunActivity'),
  summary:
    'Continue an ended run in a new one: runs again what did not succeed, or chosen steps and those after them; reuses everything else',
  parts: {
    params: RunParams,
    body: nullable(
      closed({
        ...choice,
        UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
        /**
         * Values of the inputs to change, by ChecklistInputName: send only these. The steps that read them run again, and
         * all steps after these.
         */
        Inputs: Type.Optional(Type.Array(ChecklistInputValue, { maxItems: 10_000 })),
        /** Keys of the steps that may change something outside: all that have MustConfirm in the plan. */
        Confirmed: Type.Optional(Type.Array(StepKey, STEPS)),
      }),
    ),
    result: closed({ Id: RunId }),
  },
});
