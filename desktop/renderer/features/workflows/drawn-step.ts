import type { ReactNode } from 'react';
import type { PlacedStep } from './graph-layout.ts';

/** A step as the graph draws it. */
export interface DrawnStep extends PlacedStep {
  Name: string;
  /** Shown below the name. */
  note: ReactNode;
  /** Color of the step. */
  tone: 'none' | 'success' | 'warning' | 'danger' | 'running' | 'muted';
  /** Text for screen readers, after the name. */
  label: string;
}
