/** Scales of the plots in reports. */

export interface Scale {
  min: number;
  max: number;
  /** Values of the grid lines, in ascending order. */
  ticks: number[];
}

/** Returns a scale from round number to round number, with about this many ticks. */
export function roundScale(lowest: number, highest: number, wanted = 5): Scale {
  const [low, high] =
    lowest < highest ? [lowest, highest] : [lowest - (Math.abs(lowest) || 1), lowest + (Math.abs(lowest) || 1)];
  const step = roundStep((high - low) / wanted);
  if (!Number.isFinite(step) || step <= 0) return { min: low, max: high, ticks: [low, high] };
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step, step));
  return { min: ticks[0]!, max: ticks.at(-1)!, ticks };
}

/** Returns the smallest of 1, 2 and 5 times a power of ten that is not smaller. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least) ?? 10;
  return factor * power;
}

/** Removes what binary fractions add: 0.30000000000000004. */
const rounded = (value: number, step: number): number =>
  Number(value.toFixed(Math.min(100, Math.max(0, 2 - Math.floor(Math.log10(step))))));
