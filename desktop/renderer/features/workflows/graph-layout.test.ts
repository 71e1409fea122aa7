import { describe, expect, test } from 'vitest';
import type { WorkflowEdge } from '#shared/rules/workflows/types.ts';
import { edgeId, layoutOf, NODE_HEIGHT, NODE_WIDTH, pathOf, type Layout, type PlacedStep } from './graph-layout.ts';

const after = (Step: string, When: WorkflowEdge['When'] = 'success'): WorkflowEdge => ({ Step, When });
const textOf = ({ When }: WorkflowEdge): string => (When === 'success' ? '' : When);

/** A decision that asks for approval on yes, and continues immediately on no. */
const STEPS: PlacedStep[] = [
  { Key: 'decide', After: [] },
  { Key: 'approve', After: [after('decide', 'yes')] },
  { Key: 'report', After: [after('decide', 'no'), after('approve')] },
];

/** Returns the keys of the steps that an edge crosses, except its ends. It samples the edge in small steps. */
function crossed({ positions, routes }: Layout, id: string): string[] {
  const { points } = routes.get(id)!;
  const found = new Set<string>();
  for (let index = 1; index < points.length; index += 1) {
    const [a, b] = [points[index - 1]!, points[index]!];
    for (let share = 0.01; share < 1; share += 0.01) {
      const y = a.y + (b.y - a.y) * share;
      const x = a.x + (b.x - a.x) * share;
      for (const [key, position] of positions) {
        if (x > position.x && x < position.x + NODE_WIDTH && y > position.y && y < position.y + NODE_HEIGHT)
          found.add(key);
      }
    }
  }
  return [...found];
}

describe('the drawing of a workflow', () => {
  test('leads a line around the steps between its ends, and its text too', () => {
    const layout = layoutOf(STEPS, textOf);
    expect(crossed(layout, edgeId('report', after('decide', 'no')))).toEqual([]);
    const { label } = layout.routes.get(edgeId('report', after('decide', 'no')))!;
    const { x } = layout.positions.get('approve')!;
    expect(label.x < x || label.x > x + NODE_WIDTH || label.y < layout.positions.get('approve')!.y).toBe(true);
  });

  test('has a separate line for each of two between the same steps', () => {
    const steps = [
      { Key: 'a', After: [] },
      { Key: 'b', After: [after('a', 'success'), after('a', 'failure')] },
    ];
    const { routes } = layoutOf(steps, textOf);
    const [one, other] = [...routes.values()].map(({ points }) => pathOf(points));
    expect(routes.size).toBe(2);
    expect(one).not.toBe(other);
  });

  test('has the middle of a line without a text between its steps', () => {
    const { positions, routes } = layoutOf([STEPS[0]!, { Key: 'next', After: [after('decide')] }], textOf);
    const { label } = routes.get(edgeId('next', after('decide')))!;
    const [from, to] = [positions.get('decide')!, positions.get('next')!];
    expect(label).toEqual({ x: from.x + NODE_WIDTH / 2, y: (from.y + NODE_HEIGHT + to.y) / 2 });
  });

  test('leaves a step where it was put, and no line of it where the layout had it', () => {
    const { positions, routes } = layoutOf([STEPS[0]!, { ...STEPS[1]!, X: 700, Y: 5 }, STEPS[2]!], textOf);
    expect(positions.get('approve')).toEqual({ x: 700, y: 5 });
    expect([...routes.keys()]).toEqual([edgeId('report', after('decide', 'no'))]);
  });

  test('begins and ends lines at the middle of the sides', () => {
    const { positions, routes } = layoutOf(STEPS, textOf);
    const { points } = routes.get(edgeId('report', after('approve')))!;
    const [from, to] = [positions.get('approve')!, positions.get('report')!];
    expect(points[0]).toEqual({ x: from.x + NODE_WIDTH / 2, y: from.y + NODE_HEIGHT });
    expect(points.at(-1)).toEqual({ x: to.x + NODE_WIDTH / 2, y: to.y });
    expect(pathOf([])).toBe('');
  });
});
