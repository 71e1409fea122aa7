import { createContext } from 'react';
import type { WorkflowEdge } from '#shared/rules/workflows/types.ts';
import type { StepPlace } from './add-step.ts';

/** What can be changed in the graph. */
export interface GraphEdit {
  connect: (from: string, to: string) => void;
  /** Returns why two steps cannot be connected; null if they can. */
  issueOf: (from: string, to: string) => string | null;
  disconnect: (to: string, edge: WorkflowEdge) => void;
  remove: (key: string) => void;
  /** Asks for a new step at a place. */
  add: (place: StepPlace) => void;
  /**
   * @param isDragged true if the step was dragged by mouse, in one movement. Arrow keys move it a little each time.
   */
  placeStep: (key: string, x: number, y: number, isDragged: boolean) => void;
}

/** Null if the graph is read-only. */
export const GraphEditContext = createContext<GraphEdit | null>(null);
