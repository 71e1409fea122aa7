import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { rounds } from '#test/support/test-set.ts';
import { advance, hasFailed } from './advance.ts';
import { compileChecklist } from './compile-checklist.ts';
import {
  EDGE_CONDITIONS,
  FAILURE_POLICIES,
  JOIN_RULES,
  type ApprovalStep,
  type WorkflowEdge,
  type WorkflowGraph,
  type WorkflowStep,
  type FailurePolicy,
  type JoinRule,
  type StepState,
} from './types.ts';

interface StepOptions {
  Join?: JoinRule;
  OnFailure?: FailurePolicy;
  Kind?: 'Activity' | 'Decision' | 'Approval';
}

const APPROVAL = {
  Roles: ['Controllers'],
  UserIds: [],
  Needed: 1,
  StarterMayApprove: false,
  Text: 'Right?',
  Values: [],
  ExpiresAfterHours: null,
  OnExpiry: 'Fail',
} as const satisfies Partial<ApprovalStep>;

const step = (Key: string, after: readonly (string | WorkflowEdge)[] = [], options: StepOptions = {}): WorkflowStep => {
  const After = after.map((edge) => (typeof edge === 'string' ? { Step: edge, When: 'success' as const } : edge));
  const { Join = 'AllSucceeded', OnFailure = 'Stop', Kind = 'Activity' } = options;
  const base = { Key, Name: Key.toUpperCase(), After, Join, OnFailure };
  if (Kind === 'Activity') return { ...base, Kind, ActivityId: 1, Inputs: [] };
  if (Kind === 'Decision') return { ...base, Kind, Condition: '', Values: [] };
  return { ...base, Kind, ...APPROVAL };
};
const graphOf = (...Steps: WorkflowStep[]): WorkflowGraph => ({ Inputs: [], Steps });
const on = (Step: string, When: WorkflowEdge['When']): WorkflowEdge => ({ Step, When });

const OUTCOMES = ['Succeeded', 'SucceededWarn', 'Failed', 'LogicError', 'Abandoned', 'Cancelled'] as const;
interface Outcome {
  Status: RunStatus;
  Holds: boolean;
}

/** Simulates a workflow: `pick` chooses which running step ends next, and `outcomes` says how it ends. */
function simulate(graph: WorkflowGraph, outcomes: Record<string, Outcome>, pick: (n: number) => number = () => 0) {
  const states = new Map<string, StepState>();
  const started: string[] = [];
  const reasons: Record<string, string> = {};
  for (let round = 0; ; round++) {
    if (round > graph.Steps.length + 1) throw new Error('the chain goes on for ever');
    const next = advance(graph, states);
    for (const Key of next.start) {
      started.push(Key);
      states.set(Key, { Status: 'Started', NotRunBecause: null });
    }
    for (const { Key, Because, Text } of next.notRun) {
      states.set(Key, { Status: 'Cancelled', NotRunBecause: Because });
      reasons[Key] = Text;
    }
    if (next.result) return { result: next.result, states, started, reasons };
    const atWork = [...states].filter(([, { Status }]) => isPending(Status)).map(([Key]) => Key);
    if (atWork.length === 0) throw new Error(`nothing follows from ${JSON.stringify([...states])}`);
    const Key = atWork[pick(atWork.length)]!;
    states.set(Key, { NotRunBecause: null, ...outcomes[Key]! });
  }
}

const plain = (statuses: Record<string, RunStatus>): Record<string, Outcome> =>
  Object.fromEntries(Object.entries(statuses).map(([Key, Status]) => [Key, { Status, Holds: true }]));
const ends = (graph: WorkflowGraph, statuses: Record<string, RunStatus>): Record<string, string> => {
  const { states, result } = simulate(graph, plain(statuses));
  const shown = [...states].map(([Key, { Status, NotRunBecause }]) => [Key, NotRunBecause ?? Status]);
  return { ...Object.fromEntries(shown), result };
};

describe('a checklist', () => {
  const activity = (ActivityId: number) => ({ ActivityId, Name: `Step ${ActivityId}`, Inputs: [] });
  const graph = compileChecklist(['Month'], [activity(7), activity(5), activity(9)]);

  test('runs its activities one after another', () => {
    expect(simulate(graph, plain({ 7: 'Succeeded', 5: 'Succeeded', 9: 'Succeeded' })).started).toEqual(['7', '5', '9']);
  });

  test('stops at the one that fails, and says at the others why they were not run', () => {
    const { result, started, reasons } = simulate(graph, plain({ 7: 'Succeeded', 5: 'Failed' }));
    expect({ result, started }).toEqual({ result: 'Failed', started: ['7', '5'] });
    expect(reasons).toEqual({ 9: 'Not run: step "Step 5" did not succeed' });
  });

  test('has succeeded with warnings where one did', () => {
    const { result } = simulate(graph, plain({ 7: 'Succeeded', 5: 'SucceededWarn', 9: 'Succeeded' }));
    expect(result).toBe('SucceededWarn');
  });

  test('that was cancelled starts nothing and ends when what ran has ended', () => {
    const working = new Map<string, StepState>([['7', { Status: 'Started', NotRunBecause: null }]]);
    const cancelled = advance(graph, working, true);
    expect(cancelled).toMatchObject({ start: [], result: null });
    expect(cancelled.notRun.map(({ Key, Because }) => [Key, Because])).toEqual([
      ['5', 'Cancelled'],
      ['9', 'Cancelled'],
    ]);
    working.set('7', { Status: 'Succeeded', NotRunBecause: null });
    expect(advance(graph, working, true).result).toBe('Cancelled');
  });
});

describe('a failure', () => {
  test('that is handled leaves the other branch out, joins again, and is a warning in the end', () => {
    const graph = graphOf(
      step('a', [], { OnFailure: 'Handled' }),
      step('good', ['a']),
      step('bad', [on('a', 'failure')]),
      step('both', ['good', 'bad']),
    );
    const statuses = { a: 'Failed', bad: 'Succeeded', both: 'Succeeded' } as const;
    expect(ends(graph, statuses)).toEqual({ ...statuses, good: 'LeftOut', result: 'SucceededWarn' });
  });

  test('is not handled by a step that did not run itself', () => {
    const graph = graphOf(
      step('a', [], { OnFailure: 'Handled' }),
      step('other', [], { OnFailure: 'Continue' }),
      step('bad', [on('a', 'failure'), 'other']),
    );
    expect(ends(graph, { a: 'Failed', other: 'Failed' })).toMatchObject({ bad: 'Blocked', result: 'Failed' });
  });

  test('of one branch lets the others continue if it says so', () => {
    const graph = graphOf(step('a', [], { OnFailure: 'Continue' }), step('b'), step('a2', ['a']), step('b2', ['b']));
    expect(ends(graph, { a: 'Failed', b: 'Succeeded', b2: 'Succeeded' })).toMatchObject({
      a2: 'Blocked',
      b2: 'Succeeded',
      result: 'Failed',
    });
  });

  test('that stops the workflow lets running steps end', () => {
    const graph = graphOf(step('a'), step('b'), step('b2', ['b']));
    const states = new Map<string, StepState>([
      ['a', { Status: 'Failed', NotRunBecause: null }],
      ['b', { Status: 'Started', NotRunBecause: null }],
    ]);
    expect(advance(graph, states)).toMatchObject({
      start: [],
      notRun: [{ Key: 'b2', Because: 'Stopped' }],
      result: null,
    });
  });

  test.each(['AllEnded', 'AnySucceeded', 'AllSucceeded'] as const)('before a join by %s', (Join) => {
    const graph = graphOf(step('a', [], { OnFailure: 'Continue' }), step('b'), step('c', ['a', 'b'], { Join }));
    const expected = Join === 'AllSucceeded' ? 'Blocked' : 'Succeeded';
    expect(ends(graph, { a: 'Failed', b: 'Succeeded', c: 'Succeeded' })).toMatchObject({
      c: expected,
      result: 'Failed',
    });
  });
});

describe('an approval that waits', () => {
  const graph = graphOf(step('x'), step('ok', [], { Kind: 'Approval' }), step('b', ['ok']));
  const waiting = (x: RunStatus) =>
    new Map<string, StepState>([
      ['x', { Status: x, NotRunBecause: null }],
      ['ok', { Status: 'Started', NotRunBecause: null }],
    ]);
  const notRun = (Because: string) => ['ok', 'b'].map((Key) => expect.objectContaining({ Key, Because }));

  test('keeps its workflow waiting, and what follows it', () => {
    expect(advance(graph, waiting('Succeeded'))).toEqual({ start: [], notRun: [], result: null });
  });

  test('is withdrawn if a failure stops the workflow or a person cancels it, so that the workflow ends', () => {
    expect(advance(graph, waiting('Failed'))).toEqual({ start: [], notRun: notRun('Stopped'), result: 'Failed' });
    const cancelled = advance(graph, waiting('Succeeded'), true);
    expect(cancelled).toEqual({ start: [], notRun: notRun('Cancelled'), result: 'Cancelled' });
  });

  test('stays if other branches continue after a failure', () => {
    const going = graphOf(step('x', [], { OnFailure: 'Continue' }), ...graph.Steps.slice(1));
    expect(advance(going, waiting('Failed'))).toEqual({ start: [], notRun: [], result: null });
  });
});

test('a decision skips one branch, and the join after it continues', () => {
  const graph = graphOf(
    step('d', [], { Kind: 'Decision' }),
    step('yes', [on('d', 'yes')]),
    step('no', [on('d', 'no')]),
    step('join', ['yes', 'no']),
  );
  const { result, started, reasons } = simulate(graph, plain({ d: 'Succeeded', yes: 'Succeeded', join: 'Succeeded' }));
  expect({ result, started }).toEqual({ result: 'Succeeded', started: ['d', 'yes', 'join'] });
  expect(reasons).toEqual({ no: 'Not run: the decision "D" resulted in yes' });
});

test('an edge on warnings is taken where there were some, beside that on success', () => {
  const graph = graphOf(step('a'), step('ok', ['a']), step('check', [on('a', 'warning')]));
  const done = { ok: 'Succeeded', check: 'Succeeded' } as const;
  expect(ends(graph, { a: 'SucceededWarn', ...done })).toMatchObject(done);
  expect(ends(graph, { a: 'Succeeded', ...done })).toMatchObject({ check: 'LeftOut', result: 'Succeeded' });
});

/** Any acyclic graph, with the outcome of each step. */
const anyWorkflow = (policies: readonly FailurePolicy[] = FAILURE_POLICIES) =>
  fc
    .array(
      fc.record({
        edges: fc.array(fc.record({ from: fc.nat(), When: fc.constantFrom(...EDGE_CONDITIONS) }), { maxLength: 4 }),
        Join: fc.constantFrom(...JOIN_RULES),
        OnFailure: fc.constantFrom(...policies),
        Kind: fc.constantFrom('Activity' as const, 'Activity' as const, 'Decision' as const, 'Approval' as const),
        outcome: fc.record({ Status: fc.constantFrom(...OUTCOMES), Holds: fc.boolean() }),
      }),
      { minLength: 1, maxLength: 12 },
    )
    .map((drawn) => {
      const keyOf = (at: number): string => `s${at}`;
      const Steps = drawn.map(({ edges, ...options }, at) =>
        step(keyOf(at), at === 0 ? [] : edges.map(({ from, When }) => on(keyOf(from % at), When)), options),
      );
      const outcomes = Object.fromEntries(drawn.map(({ outcome }, at) => [keyOf(at), outcome]));
      return { graph: graphOf(...Steps), outcomes };
    });
/** The order in which concurrently running steps end. */
const anyOrder = fc.infiniteStream(fc.nat()).map((numbers) => (n: number) => (numbers.next().value as number) % n);
const RUNS = { numRuns: rounds(500, 2000) };

describe('any workflow, whatever the results of its steps and in whatever order', () => {
  test('ends, with each step started once or not run, and nothing left', () => {
    fc.assert(
      fc.property(anyWorkflow(), anyOrder, ({ graph, outcomes }, pick) => {
        const { started, states } = simulate(graph, outcomes, pick);
        expect(new Set(started).size).toBe(started.length);
        expect(states.size).toBe(graph.Steps.length);
        const withdrawn = started.filter((key) => states.get(key)!.NotRunBecause);
        expect(withdrawn.every((key) => graph.Steps.find(({ Key }) => Key === key)?.Kind === 'Approval')).toBe(true);
        expect([...states.values()].filter(({ NotRunBecause }) => NotRunBecause).length).toBe(
          graph.Steps.length - started.length + withdrawn.length,
        );
        expect([...states.values()].some(({ Status }) => isPending(Status))).toBe(false);
      }),
      RUNS,
    );
  });

  test('ends in the same states where no failure stops it', () => {
    fc.assert(
      fc.property(anyWorkflow(['Continue', 'Handled']), anyOrder, anyOrder, ({ graph, outcomes }, one, two) => {
        const [first, second] = [simulate(graph, outcomes, one), simulate(graph, outcomes, two)];
        expect(Object.fromEntries(second.states)).toEqual(Object.fromEntries(first.states));
        expect(second.result).toBe(first.result);
      }),
      RUNS,
    );
  });

  test('comes to the same failure where one stops it', () => {
    fc.assert(
      fc.property(anyWorkflow(['Stop']), anyOrder, anyOrder, ({ graph, outcomes }, one, two) => {
        const results = [one, two].map((pick) => simulate(graph, outcomes, pick).result);
        expect(results[0] === 'Failed').toBe(results[1] === 'Failed');
      }),
      RUNS,
    );
  });

  test('never shows as succeeded what went wrong', () => {
    fc.assert(
      fc.property(anyWorkflow(), anyOrder, ({ graph, outcomes }, pick) => {
        const { result, states } = simulate(graph, outcomes, pick);
        const all = [...states.values()];
        if (all.some((state) => hasFailed(state) || state.Status === 'SucceededWarn'))
          expect(result).not.toBe('Succeeded');
        const unhandled = graph.Steps.some(
          ({ Key, OnFailure }) => OnFailure !== 'Handled' && hasFailed(states.get(Key)),
        );
        if (unhandled) expect(result).toBe('Failed');
        if (all.some(({ NotRunBecause }) => NotRunBecause === 'Blocked' || NotRunBecause === 'Stopped')) {
          expect(result).toBe('Failed');
        }
        if (all.every((state) => hasSucceeded(state.Status))) expect(hasSucceeded(result)).toBe(true);
      }),
      RUNS,
    );
  });

  test('says the same when asked again', () => {
    fc.assert(
      fc.property(anyWorkflow(), anyOrder, ({ graph, outcomes }, pick) => {
        const { states, result } = simulate(graph, outcomes, pick);
        expect(advance(graph, states)).toEqual({ start: [], notRun: [], result });
      }),
      RUNS,
    );
  });

  test('that is cancelled starts nothing more and never succeeds', () => {
    fc.assert(
      fc.property(anyWorkflow(), fc.nat(12), ({ graph, outcomes }, ended) => {
        const states = new Map<string, StepState>();
        for (let round = 0; round < ended; round++) {
          const next = advance(graph, states);
          for (const Key of next.start) states.set(Key, { NotRunBecause: null, ...outcomes[Key]! });
          for (const { Key, Because } of next.notRun) states.set(Key, { Status: 'Cancelled', NotRunBecause: Because });
        }
        const { start, result } = advance(graph, states, true);
        expect({ start, result }).toEqual({ start: [], result: 'Cancelled' });
      }),
      RUNS,
    );
  });
});
