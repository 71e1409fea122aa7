import type { Edge, Node, ReactFlowInstance } from '@xyflow/react';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { NODE_HEIGHT, NODE_WIDTH, type StepPosition } from './graph-layout.ts';

/** Minimum zoom at which step names are readable. */
const READABLE = 0.5;
/** Minimum zoom of a graph that is as high as the page. */
const READABLE_PAGE = 0.85;
/** Graphs with at most this many steps are always shown as a whole, however small the window. */
const FEW = 20;
/** Margin around the graph in pixels. */
const MARGIN = 24;
/** Space above the first step if not all steps fit, because the search field is there. In pixels. */
const BELOW_FIELD = 56;

interface InView<N extends Node, E extends Edge> {
  /** The element that contains the graph. */
  frame: RefObject<HTMLDivElement | null>;
  flow: ReactFlowInstance<N, E> | null;
  setFlow: (flow: ReactFlowInstance<N, E>) => void;
  /** Shows the whole graph, however small. */
  fit: () => void;
}

/**
 * Controls the visible part of a graph. It shows the whole graph if that is readable, else its beginning; likewise
 * after the window was resized, and, unless the graph fills the page, after a step was added. Otherwise the user's zoom
 * stays, but the selected step is always scrolled into view.
 */
export function useInView<N extends Node, E extends Edge>(
  positions: ReadonlyMap<string, StepPosition>,
  selected: string | null,
  fillsPage: boolean,
): InView<N, E> {
  const [flow, setFlow] = useState<ReactFlowInstance<N, E> | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef({ positions, selected });
  useEffect(() => {
    latest.current = { positions, selected };
  });
  const show = useCallback(
    (minZoom: number): void => {
      if (flow && frame.current) void flow.setViewport(viewportOf(latest.current, frame.current, minZoom));
    },
    [flow],
  );
  const count = positions.size;
  const minZoom = fillsPage ? READABLE_PAGE : count > FEW ? READABLE : 0;
  // While a graph is edited, only its first step moves what is visible.
  const shownCount = fillsPage ? Math.min(count, 1) : count;
  useEffect(() => {
    if (shownCount > 0) show(minZoom);
  }, [show, minZoom, shownCount]);
  useEffect(() => {
    if (!frame.current) return undefined;
    let width = 0;
    const observer = new ResizeObserver(([entry]) => {
      // While a graph is edited, the problems below it take more or less of its height.
      if (fillsPage && entry?.contentRect.width === width) return;
      width = entry?.contentRect.width ?? 0;
      show(minZoom);
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [show, minZoom, fillsPage]);
  const isDrawn = selected !== null && positions.has(selected);
  useEffect(() => {
    const position = selected === null ? undefined : latest.current.positions.get(selected);
    // A new step is selected shortly before the graph contains it.
    if (!flow || !isDrawn || !position || !frame.current) return;
    const { x, y, zoom } = flow.getViewport();
    const [left, top] = [position.x * zoom + x, position.y * zoom + y];
    const { clientWidth, clientHeight } = frame.current;
    const isSeen =
      left >= 0 && top >= 0 && left + NODE_WIDTH * zoom <= clientWidth && top + NODE_HEIGHT * zoom <= clientHeight;
    if (!isSeen) void flow.setCenter(position.x + NODE_WIDTH / 2, position.y + NODE_HEIGHT / 2, { zoom });
  }, [flow, selected, isDrawn]);
  return { frame, flow, setFlow, fit: useCallback(() => show(0), [show]) };
}

interface Shown {
  positions: ReadonlyMap<string, StepPosition>;
  selected: string | null;
}

/**
 * Returns a viewport with all steps centered. If they would be too small, it centers the selected step, else starts at
 * the first one.
 */
export function viewportOf(
  { positions, selected }: Shown,
  { clientWidth, clientHeight }: { clientWidth: number; clientHeight: number },
  minZoom: number,
): { x: number; y: number; zoom: number } {
  const all = [...positions.values()];
  if (all.length === 0) return { x: 0, y: 0, zoom: 1 };
  const [left, top] = [Math.min(...all.map(({ x }) => x)), Math.min(...all.map(({ y }) => y))];
  const width = Math.max(...all.map(({ x }) => x)) + NODE_WIDTH - left;
  const height = Math.max(...all.map(({ y }) => y)) + NODE_HEIGHT - top;
  const whole = Math.min((clientWidth - 2 * MARGIN) / width, (clientHeight - 2 * MARGIN) / height);
  const zoom = Math.min(1, Math.max(whole, minZoom));
  const first = all.find(({ y }) => y === top)!;
  const about = (selected === null ? undefined : positions.get(selected)) ?? first;
  const x = (clientWidth - width * zoom) / 2 - left * zoom;
  const y = (clientHeight - height * zoom) / 2 - top * zoom;
  if (zoom <= whole) return { x, y, zoom };
  return {
    x: width * zoom <= clientWidth ? x : clientWidth / 2 - (about.x + NODE_WIDTH / 2) * zoom,
    y: about === first ? BELOW_FIELD - top * zoom : clientHeight / 2 - (about.y + NODE_HEIGHT / 2) * zoom,
    zoom,
  };
}
