/** The counts of a fidelity report, for places that do not show the report. */
import { Type, type Static } from 'typebox';
import { closed } from './endpoint.ts';

export const FidelitySummary = closed({
  /** The engine that calculates the version, as text for users; absent in versions from before engines could be chosen. */
  Engine: Type.Optional(Type.String()),
  Formulas: Type.Integer(),
  Different: Type.Integer(),
  DifferentFeedingOutputs: Type.Integer(),
  /** Absent in versions created before these were counted. */
  NotCompared: Type.Optional(Type.Integer()),
  NotComparedFeedingOutputs: Type.Optional(Type.Integer()),
});
export type FidelitySummary = Static<typeof FidelitySummary>;
