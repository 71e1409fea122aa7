import type { Connection, Edge, FinalConnectionState } from '@xyflow/react';
import { showWarning } from '#renderer/ui/toaster.tsx';
import type { GraphEdit } from './graph-edit.ts';

interface Connecting {
  isValidConnection: (connection: Connection | Edge) => boolean;
  onConnectEnd: (event: MouseEvent | TouchEvent, state: FinalConnectionState) => void;
}

/**
 * Handles edges that are drawn from a point of a step. An edge may be dropped anywhere on a step; on the background, it
 * asks for a new step. If two steps cannot be connected, it says why.
 */
export function connecting(edit: GraphEdit | undefined): Connecting {
  return {
    isValidConnection: ({ source, target }) => edit?.issueOf(source, target) === null,
    onConnectEnd: (event, { fromNode, fromHandle, toNode }) => {
      if (!edit || !fromNode) return;
      const dropped = elementAt(event);
      const key = toNode?.id ?? dropped?.closest('.react-flow__node')?.getAttribute('data-id');
      const isFromSource = fromHandle?.type === 'source';
      if (key !== null && key !== undefined) {
        const [from, to] = isFromSource ? [fromNode.id, key] : [key, fromNode.id];
        // A point that was only clicked ends at its own step.
        if (from === to) return;
        const issue = edit.issueOf(from, to);
        if (issue === null) edit.connect(from, to);
        else showWarning(issue);
      } else if (isFromSource && dropped?.closest('.react-flow__pane')) edit.add({ after: fromNode.id });
    },
  };
}

function elementAt(event: MouseEvent | TouchEvent): Element | null {
  const point = 'changedTouches' in event ? event.changedTouches[0] : event;
  return point ? document.elementFromPoint(point.clientX, point.clientY) : null;
}
